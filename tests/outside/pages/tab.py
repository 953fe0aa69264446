"""A page in a browser, and what must hold of it whatever is done with it."""

import json
import os
import time
from pathlib import Path

SHOTS = os.environ.get("SCREENSHOTS")


class Tab:
    """A page that fails the test by itself if it complains, asks for anything, or runs what it should not."""

    def __init__(self, browser, report, width=1280, height=900, scheme="light", bypass=False):
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            bypass_csp=bypass,
            device_scale_factor=2 if width < 500 else 1,
        )
        self.page = self.context.new_page()
        self.url = report.resolve().as_uri()
        self.wrong = []
        note = self.wrong.append
        self.page.on("console", lambda message: note(f"console {message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: note(f"error: {error}"))
        self.page.on("dialog", lambda dialog: note("a dialog"))
        self.page.on("request", lambda request: request.url.split("#")[0] in (self.url, "about:blank") or note(f"asks for {request.url}"))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.check()
        self.context.close()

    def check(self):
        assert self.wrong == [], self.wrong
        state = self.page.evaluate(
            "[window.ran ?? null, document.images.length, document.querySelectorAll('script:not([data-kind])').length,"
            " document.querySelectorAll('[onerror], [onload], iframe, object, embed').length]"
        )
        assert state == [None, 0, 1, 0], state

    def open(self, address=""):
        # From elsewhere, so that it loads even if the address differs in its last part only.
        self.page.goto("about:blank")
        self.page.goto(self.url + address)
        self.page.wait_for_selector("#report:not([hidden]), #replay:not([hidden]) *")
        return self

    def plots_shown(self, count):
        for fold in self.page.locator("#plots details").all():
            if fold.get_attribute("open") is None:
                fold.locator("summary").click()
        self.until(f"document.querySelectorAll('#plots svg').length === {count}")

    def text(self, selector):
        return self.page.locator(selector).first.evaluate("element => element.textContent")

    def texts(self, selector):
        return self.page.locator(selector).evaluate_all("elements => elements.map((element) => element.textContent)")

    def status(self):
        return self.text("#status")

    def press(self, key):
        self.page.keyboard.press(key)

    def shot(self, name, full=False):
        if SHOTS:
            self.page.wait_for_timeout(250)
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.mouse.move(0, 0)
            self.page.evaluate("full => full && scrollTo(0, 0)", full)
            self.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=full)

    def fits(self):
        width = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], f"{self.url}: {width[0]} pixels wide on a screen of {width[1]}"

    def until(self, expression):
        """Waits until an expression holds. The page's policy keeps the browser's own way of doing so from working."""
        end = time.monotonic() + 10
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"it never holds that {expression}"
            time.sleep(0.02)


def is_accessible(tab, where):
    """As far as axe knows, where it can be had."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        return
    violations = Axe().run(tab.page).response["violations"]
    told = [(one["id"], [node["html"][:200] + str(node["any"][:1])[:300] for node in one["nodes"][:3]]) for one in violations]
    assert told == [], f"{where}: {json.dumps(told, indent=1)}"
