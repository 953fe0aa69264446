#!/usr/bin/env python3
"""Plays 2,000 episodes of reference agents in one process, then over a NATS server by one, two and four workers, and holds
the results against each other; then 200 of an agent that takes its time. Prints the tables of docs/scale.md.

    MOTA=target/release/mota MOTA_NATS_SERVER=nats-server python3 docs/scale/measure.py
"""

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOTA = os.environ.get("MOTA", "mota")
NATS_SERVER = os.environ.get("MOTA_NATS_SERVER", "nats-server")
COMMON = f"""
seed = 7
analysis = false
floors = ["{ROOT}/floors/generated/*.toml", "{ROOT}/floors/hand*.toml", "{ROOT}/floors/simple.toml"]
"""
QUICK = COMMON + """
name = "measured"
repeats = 97
[[agent]]
name = "random"
kind = "random"
[[agent]]
name = "greedy"
kind = "greedy"
[[agent]]
name = "heuristic"
kind = "heuristic"
[[agent]]
name = "lookahead"
kind = "lookahead"
depth = 3
"""
# As long as a small model takes for a decision, or a good one of which a server answers many calls at once.
SLOW = COMMON + """
name = "slow"
repeats = 10
[[agent]]
name = "random"
kind = "random"
delay_ms = 50
[concurrency]
episodes = 4
"""


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        quick(scratch)
        slow(scratch)


def quick(scratch):
    """What the queue itself costs: agents that take next to no time."""
    rows = played(scratch / "quick", QUICK, [(1, 1), (16, 1), (16, 2), (16, 4)])
    print("| played by | seconds in all | seconds of play | episodes a second | a decision, of one at once | on the server |")
    print("|---|---|---|---|---|---|")
    for what, seconds, run, kept in rows:
        play = span(run)
        stored = f"{kept / 1e6:.1f} MB" if kept else ""
        print(f"| {what} | {seconds:.1f} | {play.seconds:.1f} | {play.episodes / play.seconds:.0f} | {play.each * 1e3:.2f} ms | {stored} |")
    alone, play = span(rows[1][2]), span(rows[0][2])
    inside = alone.each - play.each
    around = (alone.seconds - alone.each * alone.decisions) / alone.episodes
    print(f"\nThe queue's own cost: {inside * 1e3:.2f} ms a decision, {around * 1e3:.1f} ms around an episode.")
    print(f"{play.episodes} episodes, {play.decisions} decisions; a trace holds {play.bytes / play.episodes:.0f} bytes, "
          f"{play.bytes / play.decisions:.0f} a decision. All runs are the same but for their clocks.\n")


def slow(scratch):
    """What workers gain: an agent that takes its time."""
    rows = played(scratch / "slow", SLOW, [(4, 1), (4, 2), (4, 4)])
    print("| played by | seconds of play | times as fast |")
    print("|---|---|---|")
    for what, _, run, _ in rows:
        print(f"| {what} | {span(run).seconds:.1f} | {span(rows[0][2]).seconds / span(run).seconds:.2f} |")
    play = span(rows[0][2])
    print(f"\n{play.episodes} episodes, {play.decisions} decisions. All runs are the same but for their clocks.")


def played(scratch, text, teams):
    """Plays a configuration in one process and by each team of so many at once on so many workers; what each took, its folder
    and the bytes on the server."""
    scratch.mkdir()
    config = scratch / "measured.toml"
    config.write_text(text)
    local = scratch / "local"
    rows = [("one process, no server", timed([MOTA, "run", config, "--out", local]), local, None)]
    for jobs, workers in teams:
        out = scratch / f"by-{workers}-{jobs}"
        with Server(scratch / f"store-{workers}-{jobs}") as server:
            team = [start([MOTA, "worker", "--nats", server.url, "--jobs", str(jobs)]) for _ in range(workers)]
            time.sleep(1)
            seconds = timed([MOTA, "run", config, "--out", out, "--nats", server.url])
            for worker in team:
                worker.terminate()
            for worker in team:
                worker.wait()
            kept = server.stored()
        same(local, out)
        rows.append((f"{workers} worker{'s' if workers > 1 else ''}, {jobs} at once", seconds, out, kept))
    return rows


class Server:
    """A nats-server on loopback with a store of its own."""

    def __init__(self, store):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url, self.store = f"nats://127.0.0.1:{self.port}", store

    def __enter__(self):
        self.process = start([NATS_SERVER, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.store])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.05)
        sys.exit("nats-server does not answer")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def stored(self):
        return sum(path.stat().st_size for path in self.store.rglob("*") if path.is_file())


class span:
    """What a run's traces say of its time and size."""

    def __init__(self, run):
        self.episodes = self.decisions = self.bytes = 0
        first, last, each = [], [], []
        for path in (run / "episodes").iterdir():
            text = path.read_text()
            lines = [json.loads(line) for line in text.splitlines()]
            began, ended = moment(lines[0]["time"]["started"]), moment(lines[-1]["time"]["ended"])
            decisions = sum(line["record"] == "decision" for line in lines)
            self.episodes, self.decisions, self.bytes = self.episodes + 1, self.decisions + decisions, self.bytes + len(text)
            first.append(began)
            last.append(ended)
            each.append((ended - began) / max(decisions, 1))
        self.seconds, self.each = max(last) - min(first), statistics.mean(each)


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def start(command):
    return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def timed(command):
    began = time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - began


def same(one, other):
    """All files are the same, but for the log, what says by which publication it was played, and the clocks in the traces."""
    clock = re.compile(rb',"time":\{[^{}]*\}')
    def files(run):
        names = {path.relative_to(run) for path in run.rglob("*") if path.is_file()}
        return {name for name in names if name.name not in (".lock", ".publication", "log.jsonl")}
    if files(one) != files(other):
        sys.exit(f"{one} and {other} hold other files")
    for name in files(one):
        texts = [(run / name).read_bytes() for run in (one, other)]
        if name.parts[0] == "episodes":
            texts = [clock.sub(b"", text) for text in texts]
        if texts[0] != texts[1]:
            sys.exit(f"{name} differs")


main()
