"""The page of a report in a real browser.

Run from the project's root with the program's path in MOTA. Screenshots go to the folder in SCREENSHOTS, if it is set; the
browser is the one that CHROMIUM names, or the first that is found.
"""

import csv
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

from pages.runs import HOSTILE, edges, hostile, mota, quick, tower, unknown
from pages.tab import Tab, is_accessible
from playwright.sync_api import sync_playwright

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def records_of(trace):
    """The lines of a trace; a text in one may hold what Python takes for the end of a line."""
    return [json.loads(line) for line in trace.read_text().split("\n") if line]


def table_is_its_csv(tab, report, name):
    section = tab.page.locator(f'[data-table="{name}"]')
    if section.locator("details").count():
        section.locator("summary").click()
        section.locator("table").wait_for()
    columns = section.locator("button.columns")
    if columns.count():
        columns.click()
    more = section.locator("button.more:not(.columns)")
    if more.is_visible():
        more.click()
    shown = section.locator("table").evaluate(
        "table => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    with open(report.parent / f"tables/{name}.csv", newline="") as file:
        rows = list(csv.reader(file))
    headings = [heading.replace("_", " ").lower() for heading in rows[0]]
    assert [heading.lower() for heading in shown[0]] == headings, (shown[0], headings)
    assert len(rows) > 1 and shown[1:] == rows[1:], f"{name} is not {name}.csv"
    return len(rows) - 1


def plots(report):
    return len(list((report.parent / "plots").glob("*.svg")))


def tables_sort(tab):
    section = tab.page.locator('[data-table="results"]')
    heading = section.locator("th", has=tab.page.get_by_role("button", name="gap", exact=True))
    column = heading.evaluate("heading => heading.cellIndex")
    cells = lambda: section.locator("tbody").evaluate(
        f"body => [...body.rows].map((row) => row.cells[{column}].textContent)"
    )
    assert heading.get_attribute("aria-sort") == "none"
    heading.get_by_role("button").focus()
    for key, order, way in [("Enter", "ascending", 1), ("Space", "descending", -1)]:
        tab.press(key)
        assert heading.get_attribute("aria-sort") == order
        values = [float(cell) for cell in cells() if cell]
        assert values == sorted(values, key=lambda value: way * value) and len(set(values)) > 3, values
    assert section.locator('th[aria-sort="none"]').count() == section.locator("thead th").count() - 1


def list_filters(tab, total):
    rows = tab.page.locator("#episodes tbody tr")
    assert rows.count() == total and tab.text("#episodes .count") == f"{total} episodes"
    tab.page.get_by_label("Agent", exact=True).select_option("greedy")
    assert rows.count() == 6 and tab.text("#episodes .count") == f"6 of {total} episodes"
    tab.page.get_by_label("Floor", exact=True).select_option("complex")
    assert rows.count() == 1
    tab.page.get_by_role("button", name="Clear").click()
    tab.until(f"document.querySelectorAll('#episodes tbody tr').length === {total}")
    tab.page.get_by_label("Ending", exact=True).select_option("won")
    won = rows.count()
    assert 0 < won < total
    tab.page.get_by_label("Text", exact=True).fill("OPTIMAL simple")
    assert rows.count() == 1
    tab.page.get_by_label("Text", exact=True).fill("nothing like it")
    assert tab.text("#episodes tbody") == "No rows."
    tab.page.get_by_role("button", name="Clear").click()


def episode_steps(tab):
    """By keyboard, slider, buttons, links of the curve, and the address."""
    page = tab.page
    last = page.locator("#slider").evaluate("slider => Number(slider.max)") - 1
    turn = lambda: page.locator("#slider").evaluate("slider => Number(slider.value)")
    page.locator("h1").last.focus()
    for key, expected in [("Home", 1), ("ArrowRight", 2), ("j", 3), ("k", 2), ("ArrowLeft", 1), ("ArrowLeft", 1),
                          ("End", last + 1), ("ArrowLeft", last)]:
        tab.press(key)
        assert turn() == expected, (key, turn(), expected)
    assert page.evaluate("location.hash").endswith(f"&turn={last}")
    page.locator("#slider").focus()
    tab.press("Home")
    tab.press("ArrowRight")
    assert turn() == 2 and tab.status().startswith(f"decision 2 of {last}: "), tab.status()
    page.get_by_role("button", name="One decision on").click()
    assert turn() == 3
    page.get_by_role("button", name="To the losing decision").click()
    assert tab.status().endswith("→ lost"), tab.status()
    assert page.locator("#status").get_attribute("aria-live") == "polite"
    losing = turn()
    tab.press("Home")
    mark = page.locator(f'.curve a[data-turn="{losing}"]')
    mark.focus()
    tab.press("Enter")
    tab.until(f"document.getElementById('slider').value === '{losing}'")
    page.get_by_role("button", name="Play").click()
    tab.until(f"document.getElementById('slider').value === '{losing + 1}'")
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").is_visible()


def replay_is_its_text(tab, run, episode):
    """Every number of a replay is what the program prints of its trace."""
    told = mota("replay", run / "episodes" / f"{episode}.jsonl", "--text")
    decisions = re.split(r"(?m)^(?=\d+\. HP)", told)[1:]
    tab.open(f"#episode={episode}&turn=1")
    assert tab.page.locator("#slider").evaluate("slider => Number(slider.max)") == len(decisions) + 1
    line = re.compile(r"^  (.) ?(\d+)\. +(-?\d+|lost)  (.*?) (\(\S+\))(?:, costs (\d+))?(, lethal)?$")
    for index, decision in enumerate(decisions):
        expected = [match.groups() for match in map(line.match, decision.splitlines()) if match]
        items = tab.page.locator(".actions li").evaluate_all(
            "items => items.map((item) => ['.place', '.effect', '.worth', '.ordinal'].map((part) =>"
            " item.querySelector(part)?.textContent ?? null).concat(item.className))"
        )
        assert len(items) == len(expected) > 0, (decision, items)
        lost_before = all(value == "lost" for _, _, value, *_ in expected)
        for (mark, number, value, text, at, damage, lethal), (place, effect, worth, ordinal, look) in zip(expected, items):
            assert (ordinal, place) == (f"{number}.", f"{text} {at}"), (ordinal, place, text)
            assert ("executed" in look) == (mark == ">"), decision
            assert lethal is None or effect == "kills the hero", effect
            if damage and not lethal:
                assert effect.startswith(f"costs {damage} HP"), (effect, damage)
            if lost_before:
                assert worth is None, worth
            elif value == "lost":
                assert worth.endswith("lost"), worth
            else:
                assert worth.startswith(f"value {value}"), (worth, value)
        hp = re.match(r"\d+\. HP (-?\d+)", decision).group(1)
        assert tab.texts(".hero tbody tr:first-child td")[0] == hp, decision
        if "losing" in decision.splitlines()[-1]:
            tab.shot("replay-losing", full=True)
        tab.press("j")
    assert tab.status().startswith("the end: "), tab.status()


def calls_are_as_they_came(tab, run):
    """Every text of every call is shown as it stands in the trace, and nothing of it ran."""
    (trace,) = [path for path in (run / "episodes").iterdir() if "onerror" in path.name]
    records = records_of(trace)
    calls = [record for record in records if record["record"] == "call"]
    assert any(len(call["content"]) > 1_000_000 for call in calls)
    assert any(call["verdict"] != "ok" for call in calls)
    assert any(call.get("earlier") for call in calls)
    header = records[0]
    tab.open()
    tab.page.get_by_role("link", name=header["agent"]).first.click()
    tab.page.wait_for_selector("article h1")
    assert tab.text("article h1").startswith(header["agent"])
    assert tab.text("article code") == header["id"]
    assert (run / "floors/simple.toml").exists() and HOSTILE[:40] in tab.text(".top .summary")
    for turn in sorted({call["turn"] for call in calls}):
        of_turn = [call for call in calls if call["turn"] == turn]
        cards = tab.page.locator("article.call")
        assert cards.count() == len(of_turn)
        for index, call in enumerate(of_turn):
            card = cards.nth(index)
            for summary in card.locator("summary").all():
                summary.click()
            said = card.locator("details")
            show = "details => [...details.querySelectorAll('pre')].map((pre) => pre.textContent)"
            prompt, reasoning, answer = [said.nth(place).evaluate(show) for place in range(3)]
            own = [message["content"] for message in call["messages"]]
            assert prompt[0] == own[0] and prompt[len(prompt) - len(own) + 1:] == own[1:], "messages"
            assert len(prompt) == len(own) + 2 * call.get("earlier", 0)
            assert reasoning == [call["reasoning"]] and answer == [call["content"]]
            verdict = card.locator(".verdict").text_content()
            assert call["verdict"].replace("_", " ") in verdict
            assert f'{call["usage"]["prompt_tokens"]} tokens sent' in card.text_content()
            if call.get("complaint"):
                assert call["complaint"] in card.locator(".complaint").text_content()
        tab.check()
        if turn == 1:
            tab.shot("replay-model", full=True)
        tab.press("j")


def tower_shows_its_floors(tab):
    tab.open()
    tab.page.locator("#episodes tbody th a").first.click()
    tab.page.wait_for_selector(".floors button")
    buttons = tab.page.locator(".floors button")
    assert buttons.count() == 3 and buttons.nth(0).get_attribute("aria-pressed") == "true"
    assert "hero" in buttons.nth(0).text_content()
    buttons.nth(1).click()
    assert buttons.nth(1).get_attribute("aria-pressed") == "true"
    assert "Floor 1" in tab.text("#stage-title")
    assert not tab.page.locator("[data-hero]").is_visible()
    tab.press("j")
    assert tab.page.locator("[data-hero]").is_visible()
    tab.shot("tower")


def map_follows(tab, run, episode):
    """What has been cleared is hidden, and the hero stands where the trace says."""
    records = records_of(run / "episodes" / f"{episode}.jsonl")
    decisions = [record for record in records if record["record"] == "decision"]
    tab.open(f"#episode={episode}")
    for decision in decisions:
        assert f'({decision["at"]["x"]},{decision["at"]["y"]})' in tab.text("#stage-words")
        x, y = decision["target"]["x"], decision["target"]["y"]
        tile = tab.page.locator(f'.map [data-x="{x}"][data-y="{y}"]')
        assert tile.is_visible(), decision
        assert tab.page.locator(".ring.executed").count() == 1
        tab.press("j")
        survives = decision.get("end") in ("dead",)
        assert tile.is_visible() == survives, decision
    assert tab.page.locator(".ring").count() == 0


def unknown_values_are_said(tab):
    tab.open()
    assert set(tab.texts("#episodes td.spark")) == {"not known"}
    tab.page.locator("#episodes tbody th a").first.click()
    tab.page.wait_for_selector(".actions")
    assert "The state values are not known" in tab.text(".notice") and "memory is full <b>" in tab.text(".notice")
    assert tab.text(".judgement") == "Values not known."
    assert tab.page.locator(".curve, .worth, .to-losing, .chip").count() == 0
    assert tab.status().startswith("decision 1 of ") and "value" not in tab.status()


def theme_switches(tab):
    ground = lambda: tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    before = ground()
    tab.page.get_by_role("button", name="theme").click()
    assert ground() != before
    tab.page.reload()
    tab.page.wait_for_selector("#report:not([hidden])")
    assert ground() != before, "the choice is kept"
    tab.page.get_by_role("button", name="theme").click()
    assert ground() == before


def everything_is_reached_by_keyboard(tab):
    tab.open()
    tab.press("Tab")
    assert tab.page.evaluate("document.activeElement.id") == "skip"
    tab.press("Enter")
    assert tab.page.evaluate("document.activeElement.id") == "content"
    unreachable = tab.page.evaluate(
        "[...document.querySelectorAll('a, button, select, input, summary')].filter((one) =>"
        " one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML)"
    )
    assert unreachable == [], unreachable


def looks(browser, report, hostile_report):
    """Screens of all kinds: nothing runs sideways, axe has nothing to say."""
    with open(report.parent / "tables/episodes.csv", newline="") as file:
        lost = next(row for row in csv.DictReader(file) if row["agent"] == "heuristic" and row["losing_turn"])
    replay = f"#episode={lost['id']}&turn={lost['losing_turn']}"
    for width, height, scheme, name in [(1280, 900, "light", "desktop-light"), (1280, 900, "dark", "desktop-dark"),
                                        (390, 844, "light", "phone"), (800, 1000, "dark", "tablet")]:
        with Tab(browser, report, width, height, scheme, bypass=True) as tab:
            tab.open().plots_shown(plots(report))
            tab.fits()
            is_accessible(tab, name)
            tab.shot(name, full=True)
            tab.open(replay)
            tab.page.wait_for_selector(".actions")
            tab.fits()
            is_accessible(tab, f"{name}, a replay")
            tab.shot(f"{name}-replay", full=True)
        with Tab(browser, hostile_report, width, height, scheme, bypass=True) as tab:
            tab.open().fits()
            tab.page.locator("#episodes tbody th a").first.click()
            tab.page.wait_for_selector("article.call")
            for summary in tab.page.locator("article.call").first.locator("summary").all():
                summary.click()
            tab.fits()
            is_accessible(tab, f"{name}, a model's replay")
            tab.shot(f"{name}-model", full=True)
    with Tab(browser, report) as tab:
        tab.open(replay)
        tab.page.emulate_media(media="print")
        tab.shot("print-replay", full=True)


def main():
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        run = quick(folder)
        report = run / "report/index.html"
        episodes = sorted(trace.stem for trace in (run / "episodes").iterdir())
        greedy = next(episode for episode in episodes if episode.startswith("greedy.complex"))
        with Tab(browser, report) as tab:
            tab.open().plots_shown(plots(report))
            assert tab.page.title() == tab.text("#title")
            tables_sort(tab)
            list_filters(tab, len(episodes))
            theme_switches(tab)
            everything_is_reached_by_keyboard(tab)
            assert table_is_its_csv(tab, report, "results") == 36
            assert table_is_its_csv(tab, report, "episodes") == len(episodes)
            for name in ("configurations", "decisions", "losing-decisions", "differences", "floors"):
                assert table_is_its_csv(tab, report, name) > 5
            tab.open(f"#episode={greedy}&turn=3")
            assert tab.status().startswith("decision 3 of "), tab.status()
            episode_steps(tab)
            tab.page.get_by_role("link", name="All episodes").click()
            tab.page.wait_for_selector("#report:not([hidden])")
            tab.open("#episode=no-such-episode")
            assert "no-such-episode" in tab.text(".notice")
            replay_is_its_text(tab, run, greedy)
            map_follows(tab, run, greedy)
            map_follows(tab, run, next(one for one in episodes if one.startswith("random.hand01.none.0")))
        hostile_run = hostile(folder)
        with Tab(browser, hostile_run / "report/index.html") as tab:
            calls_are_as_they_came(tab, hostile_run)
        with Tab(browser, tower(folder) / "report/index.html") as tab:
            tower_shows_its_floors(tab)
        with Tab(browser, unknown(folder, report)) as tab:
            unknown_values_are_said(tab)
        for name, path in edges(folder, run).items():
            with Tab(browser, path) as tab:
                tab.open()
                links = tab.page.locator("#episodes tbody th a")
                assert links.count() == {"none": 0, "both": 2}.get(name, 1), name
                for index in range(links.count()):
                    links.nth(index).click()
                    tab.page.wait_for_selector("article")
                    tab.press("End")
                    expected = "no decision has been made yet" if name == "begun" else "the end: "
                    assert tab.status().startswith(expected), (name, tab.status())
                    tab.check()
                    tab.page.get_by_role("link", name="All episodes").click()
                    tab.page.wait_for_selector("#report:not([hidden])")
        looks(browser, report, hostile_run / "report/index.html")
        browser.close()
    print("the page is what it should be")


main()
