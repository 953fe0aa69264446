"""`mota export inspect` as inspect_ai reads it: listing, whole logs, samples, summaries and data frames.

Run from the project's root, with the program's path in the environment variable MOTA.
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from inspect_ai.analysis import evals_df, events_df, messages_df, samples_df
from inspect_ai.log import (
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)

MOTA = os.environ.get("MOTA", "mota")


def mota(*arguments):
    done = subprocess.run([MOTA, *arguments], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def hashes(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in pathlib.Path(folder).iterdir()}


def check(run, folder):
    logs = os.path.join(folder, "logs-" + os.path.basename(run))
    written = json.loads(mota("export", "inspect", run, "-o", logs, "--json"))
    before = hashes(logs)
    mota("export", "inspect", run, "-o", logs)
    assert hashes(logs) == before, "the same traces give the same bytes"

    episodes = {episode["id"]: episode for episode in json.loads(mota("analyze", run, "--json"))}
    configurations = {(episode["agent"], episode["prompt"]) for episode in episodes.values()}
    listed = list_eval_logs(logs)
    assert len(listed) == len(written["files"]) == len(configurations)
    assert written["episodes"] == len(episodes)
    samples = called = 0
    for info in listed:
        log = read_eval_log(info)
        assert log.version == 2 and log.status in ("success", "cancelled") and log.results
        assert read_eval_log(info, header_only=True).eval == log.eval
        metadata = log.eval.metadata
        assert (log.eval.model, metadata["prompt"]) in configurations
        means = {score.name: score.metrics["mean"].value for score in log.results.scores if score.metrics}
        by_id = {(sample.id, sample.epoch): sample for sample in log.samples}
        assert len(by_id) == len(log.samples) == len(read_eval_log_sample_summaries(info))
        if log.status == "success":
            assert len(list(read_eval_log_samples(info))) == len(log.samples)
        for (floor, epoch), sample in by_id.items():
            assert read_eval_log_sample(info, floor, epoch).uuid == sample.uuid
            episode = episodes[sample.metadata["episode"]]
            assert (episode["floor"], episode["repeat"] + 1) == (floor, epoch)
            won = episode["ending"] == "won"
            final_hp = episode["hero"]["hp"] if won else 0
            if episode["ending"] is None:
                assert not sample.scores and sample.error
            else:
                assert sample.scores["won"].value == int(won) and sample.scores["final_hp"].value == final_hp
                assert sample.scores["gap"].value == episode["optimum"] - final_hp
                losing = episode["losing"] and episode["losing"]["turn"]
                assert ("losing_turn" in sample.scores) == bool(losing)
                assert not losing or sample.scores["losing_turn"].value == losing
            infos = [event.data for event in sample.events if event.event == "info"]
            assert [data["value_before"] for data in infos] == [decision["before"] for decision in episode["decisions"]]
            calls = [event for event in sample.events if event.event == "model"]
            assert sum(episode["verdicts"].values()) == len(calls) == sample.turn_count
            answers = [message for message in sample.messages if message.role == "assistant"]
            assert len(answers) == len([call for call in calls if not call.error] or infos)
            called += len(calls)
            used = sum(usage.total_tokens for usage in sample.model_usage.values())
            assert used == episode["prompt_tokens"] + episode["completion_tokens"]
        finished = [sample for sample in log.samples if sample.scores]
        for name in means:
            values = [sample.scores[name].value for sample in finished if name in sample.scores]
            assert abs(means[name] - sum(values) / len(values)) < 1e-9, name
        samples += len(log.samples)
    assert samples == len(episodes)
    assert len(evals_df(logs)) == len(listed) and len(samples_df(logs)) == samples
    assert len(events_df(logs)) >= sum(len(episode["decisions"]) for episode in episodes.values())
    # The package takes messages from calls to models, which reference agents do not make.
    if called:
        assert set(messages_df(logs)["role"]) == {"system", "user", "assistant"}
    return len(listed), samples


with tempfile.TemporaryDirectory() as folder:
    runs = sys.argv[1:] or [os.path.join(folder, name) for name in ("quickstart", "format-1")]
    if not sys.argv[1:]:
        mota("run", "configs/quickstart.toml", "--out", runs[0])
        # A run of the first format, with a model's messages.
        shutil.copytree("tests/data/format-1", runs[1])
    for run in runs:
        logs, samples = check(run, folder)
        print(f"{os.path.basename(run)}: {samples} samples in {logs} logs")
