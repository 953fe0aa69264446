"""`mota export decisions` as pyarrow, pandas and polars read it, against the traces' own analysis.

Run from the project's root, with the program's path in the environment variable MOTA.
"""

import json
import math
import os
import shutil
import subprocess
import tempfile

import pandas
import polars
import pyarrow
import pyarrow.parquet

MOTA = os.environ.get("MOTA", "mota")


def mota(*arguments):
    done = subprocess.run([MOTA, *arguments], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(run, folder):
    file = os.path.join(folder, "decisions.parquet")
    written = json.loads(mota("export", "decisions", run, "-o", file, "--json"))
    table = pyarrow.parquet.read_table(file)
    assert table.num_rows == written["decisions"] > 0
    types = {
        "integer": pyarrow.types.is_int64,
        "truth": pyarrow.types.is_boolean,
        "fraction": pyarrow.types.is_float64,
        "text": lambda of: pyarrow.types.is_large_string(of) or pyarrow.types.is_string_view(of),
    }
    documented = [line.split(" | ")[:2] for line in open("docs/decisions.md", encoding="utf-8") if line.startswith("| `")]
    assert [name[3:-1] for name, _ in documented] == table.column_names
    for (name, words), field in zip(documented, table.schema):
        of = field.type.value_type if words.startswith("list of ") else field.type
        assert types[words.removeprefix("list of ")](of), (name, words, field.type)

    # Three readers, one content.
    rows = table.to_pylist()
    assert polars.read_parquet(file).to_dicts() == rows
    frame = pandas.read_parquet(file)
    assert len(frame) == len(rows) and list(frame.columns) == table.column_names
    for name in ["turn", "hp", "value_before", "losing", "text"]:
        assert all(
            (pandas.isna(left) and right[name] is None) or left == right[name] for left, right in zip(frame[name], rows)
        ), name

    # The same numbers as the analysis, decision by decision and in its order.
    episodes = json.loads(mota("analyze", run, "--json"))
    decisions = [(episode, decision) for episode in episodes for decision in episode["decisions"]]
    assert len(decisions) == len(rows)
    for (episode, decision), row in zip(decisions, rows):
        assert (row["episode"], row["turn"]) == (episode["id"], decision["turn"])
        assert (row["optimum"], row["value_before"]) == (episode["optimum"], decision["before"])
        assert (row["ending"], row["hp"]) == (episode["ending"], decision["hero"]["hp"])
        assert row["final_hp"] == (episode["hero"]["hp"] if episode["ending"] == "won" else 0)
        assert row["action_value"] == [action["value"] for action in decision["actions"]]
        assert row["action_text"] == [action["text"] for action in decision["actions"]]
        executed = decision["actions"][row["executed"] - 1]
        assert (row["value_after"], row["text"]) == (executed["value"], executed["text"])
        if row["value_before"] is not None:
            assert row["value_lost"] == row["value_before"] - (row["value_after"] or 0)
            assert row["losing"] == (row["value_after"] is None)
        seen = json.loads(row["observation"])
        assert (seen["turn"], seen["hero"]["hp"], len(seen["history"])) == (row["turn"], row["hp"], row["turn"] - 1)
        assert [action["text"] for action in seen["actions"]] == row["action_text"]
    losing = {(row["episode"], row["turn"]) for row in rows if row["losing"]}
    assert losing == {(episode["id"], episode["losing"]["turn"]) for episode in episodes if episode["losing"]}
    tokens = sum(row["prompt_tokens"] or 0 for row in rows)
    assert tokens == sum(episode["prompt_tokens"] for episode in episodes)
    costs = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
    assert math.isclose(sum(costs), sum(episode["cost_usd"] or 0 for episode in episodes), abs_tol=1e-12)

    # The same as `mota replay --text` prints.
    trace = os.path.join(run, "episodes", rows[0]["episode"] + ".jsonl")
    text = mota("replay", trace, "--text")
    for row in (row for row in rows if row["episode"] == rows[0]["episode"]):
        assert f"\n{row['turn']}. HP {row['hp']}  ATK {row['atk']}" in text
        value = "lost" if row["value_after"] is None else row["value_after"]
        assert f">{row['executed']:2}.{value:>7}  {row['text']}" in text, (row["executed"], value, row["text"])
    return len(rows), len(episodes)


with tempfile.TemporaryDirectory() as folder:
    run = os.path.join(folder, "run")
    shutil.copytree("tests/data/format-1", os.path.join(folder, "format-1"))
    mota("run", "configs/quickstart.toml", "--out", run)
    for checked in [run, os.path.join(folder, "format-1")]:
        rows, episodes = check(checked, folder)
        print(f"{checked.removeprefix(folder)}: {rows} decisions of {episodes} episodes")
