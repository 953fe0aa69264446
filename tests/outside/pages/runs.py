"""Runs whose reports are looked at: the quickstart, a hostile model's, a tower's, and runs with little in them."""

import base64
import json
import os
import re
import shutil
import subprocess
import threading
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MOTA = Path(os.environ["MOTA"]).resolve()
ROOT = Path.cwd()

# Whatever could run if it became markup, and whatever could break out of what holds it.
HOSTILE = (
    "<script>window.ran=1</script></script><img src=x onerror=window.ran=1><svg onload=window.ran=1>"
    "]]><!-- --> </pre></textarea>{{7*7}} \u2028\u2029 \u202egnitirw\u202c \u0000\ufffe\u0007 & &lt; ' \" ` 魔塔 🗝"
)


def mota(*arguments, code=0):
    done = subprocess.run([MOTA, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == code, f"mota {arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


class Model(BaseHTTPRequestHandler):
    """A chat endpoint that chooses the first action, says hostile things around it, and sometimes nothing of use."""

    protocol_version = "HTTP/1.1"
    asked = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        Model.asked += 1
        long = "long " * 200_000 if Model.asked == 2 else ""
        useless = Model.asked % 5 == 4
        message = {
            "content": f"{HOSTILE} {long}\n" + ("I cannot decide." if useless else "Action: 1"),
            "reasoning_content": f"Thinking of {HOSTILE}",
        }
        usage = {"prompt_tokens": 1000 + Model.asked, "completion_tokens": 50, "cost": 0.00125}
        answer = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
        # Half of a pair, escaped, as some servers send it.
        body = json.dumps(answer).replace("Thinking", "\\ud83d Thinking").encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def model():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def write_config(folder, name, floors, agents, more=""):
    config = folder / f"{name}-run.toml"
    listed = json.dumps([str(floor) for floor in floors])
    tables = "".join(f'[[agent]]\nname = "{agent}"\nkind = "{kind}"\n{rest}\n' for agent, kind, rest in agents)
    config.write_text(f'name = "{name}"\nseed = 7\nfloors = {listed}\n{more}\n{tables}')
    return config


def toml(text):
    """A TOML string of a text."""
    return json.dumps(text, ensure_ascii=True).replace("\\ud83d\\udddd", "\\U0001F5DD")


def quick(folder):
    run = folder / "quick"
    mota("run", "configs/quickstart.toml", "--out", run)
    return run


def hostile(folder):
    """A run of a model that says hostile things on a floor with a hostile title, under a hostile agent's name."""
    floor = folder / "hostile.toml"
    text = (ROOT / "floors/simple.toml").read_text()
    title = HOSTILE.replace("\0", "").replace("\ufffe", "").replace("\u0007", "")
    floor.write_text(re.sub(r"(?m)^title = .*$", lambda _: f"title = {toml(title)}", text))
    prompt = folder / "hostile.md"
    text = (ROOT / "prompts/single_floor.md").read_text().replace('name = "single_floor"', 'name = "hostile"')
    prompt.write_text(text.replace("{% block user %}", "{% block user %}{% raw %}" + title + "{% endraw %}"))
    with model() as url:
        agents = [
            ("placeholder", "model", f'base_url = "{url}"\nmodel = "fake"\nanswer = "text"\nhistory = 2'),
            ("greedy", "greedy", ""),
        ]
        more = 'prompts = ["hostile.md"]\n[limits]\nturns = 8'
        run = folder / "hostile"
        mota("run", write_config(folder, "hostile", [floor], agents, more), "--out", run)
    rename_agent(run, "placeholder", "<img src=x onerror=window.ran=1>")
    mota("report", run)
    return run


def rename_agent(run, before, after):
    """Gives an agent a name that no configuration may give."""
    manifest = run / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"{before}"', json.dumps(after)))
    for trace in (run / "episodes").iterdir():
        text = trace.read_text().replace(f'"{before}', json.dumps(after)[:-1])
        trace.unlink()
        trace.with_name(trace.name.replace(before, after)).write_text(text)


def tower(folder):
    """A run on a tower of several floors, with a shop."""
    floor = ROOT / "src/report/picture/tests/keep.toml"
    run = folder / "tower"
    agents = [("greedy", "greedy", ""), ("random", "random", "")]
    config = write_config(folder, "tower", [floor], agents, "repeats = 3\n[limits]\nturns = 60")
    mota("run", config, "--out", run)
    return run


def unknown(folder, report):
    """The same page as if the state values were not known: it takes a large floor to have that."""

    def forget(match):
        data = json.loads(zlib.decompress(base64.b64decode(match[2]), -15))
        for episode in data.get("episodes", []):
            episode.update(values_unknown="memory is full <b>", values=[], optimum=None, losing=None, value_losses=0)
        for decision in data.get("decisions", []):
            decision.update(before=None, lost=None, optimal=False, losing=False, forced=False, critical=False)
            decision.pop("values", None)
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(json.dumps(data).encode()) + packer.flush()
        return match[1] + base64.b64encode(packed).decode()

    page = folder / "unknown.html"
    blocks = r'(data-kind="(?:overview|episode)">)([^<]*)'
    page.write_text(re.sub(blocks, forget, report.read_text()))
    return page


def edges(folder, run):
    """Reports of runs that have little in them."""
    reports = {}
    simple = [ROOT / "floors/simple.toml"]
    for name, agents in [("won", [("optimal", "optimal", "")]), ("lost", [("greedy", "greedy", "")])]:
        mota("run", write_config(folder, name, simple, agents), "--out", folder / name)
        reports[name] = folder / name / "report/index.html"
    none = folder / "none"
    shutil.copytree(run, none)
    for trace in (none / "episodes").iterdir():
        trace.unlink()
    mota("report", none)
    reports["none"] = none / "report/index.html"
    begun = folder / "begun"
    shutil.copytree(folder / "lost", begun)
    (trace,) = (begun / "episodes").iterdir()
    trace.write_text(trace.read_text().splitlines(keepends=True)[0])
    mota("report", begun)
    reports["begun"] = begun / "report/index.html"
    mota("report", folder / "won", folder / "lost", "--out", folder / "both")
    reports["both"] = folder / "both/index.html"
    return reports
