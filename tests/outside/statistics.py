"""The statistics of a report against scipy's, on batches of random play: every interval and every test, row by row."""

import csv
import itertools
import os
import pathlib
import subprocess
import tempfile
from collections import defaultdict

import numpy as np
import pyarrow.parquet as parquet
from scipy import stats

MOTA = os.environ["MOTA"]

# Random play wins some of the time here, at various HP.
FLOOR = """
name = "{name}"
[hero]
hp = {hp}
atk = 16
def = 4
[items]
red_gem = 1
blue_gem = 1
red_potion = 75
[monsters.1]
name = "Green Slime"
hp = 50
atk = 7
def = 3
[monsters.2]
name = "Red Slime"
hp = 70
atk = 11
def = 1
[monsters.5]
name = "Bat"
hp = 100
atk = 17
def = 2
[monsters.B]
name = "Boss"
hp = 50
atk = 20
def = 12
[[floor]]
map = \"\"\"
. . 1 a # B # p 2 .
. . # . . 1 . . # d
1 # # . @ . . . # 5
a . 2 . . . . . 5 p
\"\"\"
"""

CONFIG = """
name = "{name}"
seed = {seed}
repeats = {repeats}
floors = ["*-floor.toml"]
[[agent]]
name = "one"
kind = "random"
[[agent]]
name = "other"
kind = "random"
[[agent]]
name = "heuristic"
kind = "heuristic"
"""


def close(found, expected, tolerance, what):
    assert abs(float(found) - expected) <= tolerance, f"{what}: {found}, scipy has {expected}"


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval(values):
    """Scipy's percentile bootstrap, and by how much two such differ by chance."""
    values = np.asarray(values, dtype=float)
    ends = [
        stats.bootstrap((values,), np.mean, n_resamples=9999, method="percentile", rng=seed).confidence_interval
        for seed in range(8)
    ]
    low, high = np.array([end.low for end in ends]), np.array([end.high for end in ends])
    # A quantile of few values jumps from one of its values to the next: half a step may be chance.
    slack = 6 * max(low.std(), high.std()) + 0.02 * (values.max() - values.min()) + 0.005
    return low.mean(), high.mean(), slack


def check_interval(row, name, values):
    low, high, slack = interval(values)
    close(row[f"{name}_low"], low, slack, f"{name} of {row}")
    close(row[f"{name}_high"], high, slack, f"{name} of {row}")


def check_results(results, episodes):
    groups = defaultdict(list)
    for episode in episodes:
        groups[episode["floor"], episode["agent"]].append(episode)
    for row in results:
        group = groups[row["floor"], row["agent"]]
        won = sum(episode["ending"] == "won" for episode in group)
        wilson = stats.binomtest(won, len(group)).proportion_ci(method="wilson")
        close(row["win_rate"], won / len(group), 5.1e-4, "win rate")
        close(row["win_rate_low"], wilson.low, 5.1e-4, "low end of the win rate")
        close(row["win_rate_high"], wilson.high, 5.1e-4, "high end of the win rate")
        hp = [int(episode["final_hp"]) for episode in group]
        close(row["mean_final_hp"], np.mean(hp), 5.1e-3, "mean final HP")
        if len(group) > 1:
            check_interval(row, "mean_final_hp", hp)
            check_interval(row, "gap", [int(episode["gap"]) for episode in group])
        else:
            assert row["gap_low"] == row["gap_high"] == "", row


def paired(episodes, one, other):
    place = {(e["agent"], e["floor"], e["repeat"]): e for e in episodes}
    return [
        (episode, place[other, episode["floor"], episode["repeat"]])
        for episode in episodes
        if episode["agent"] == one and (other, episode["floor"], episode["repeat"]) in place
    ]


def check_differences(differences, episodes):
    p_values = defaultdict(list)
    for row in differences:
        pairs = paired(episodes, row["one"], row["other"])
        assert len(pairs) == int(row["pairs"]) > 0, row
        won = [(one["ending"] == "won", other["ending"] == "won") for one, other in pairs]
        only_one, only_other = won.count((True, False)), won.count((False, True))
        assert (only_one, only_other) == (int(row["only_one_won"]), int(row["only_other_won"])), row
        discordant = only_one + only_other
        p_wins = stats.binomtest(only_one, discordant).pvalue if discordant else 1.0
        close(row["p_wins"], p_wins, 5.1e-5 + 0.06 * p_wins * (p_wins < 1e-4), "McNemar's test")
        one = np.array([int(one["final_hp"]) for one, _ in pairs], dtype=float)
        other = np.array([int(other["final_hp"]) for _, other in pairs], dtype=float)
        close(row["hp_difference"], (other - one).mean(), 5.1e-3, "mean difference")
        exact = len(pairs) <= 12
        test = stats.permutation_test(
            (other, one),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf if exact else 99_999,
            rng=1,
        )
        # A sum of fractions that should be equal may not be: scipy's statistic is a float, ours a whole number.
        tolerance = 5.1e-5 if exact else 6 * (test.pvalue * (1 - test.pvalue) / 99_999) ** 0.5 + 1e-4
        close(row["p_hp"], test.pvalue, tolerance, f"permutation test of {len(pairs)} pairs")
        if len(pairs) > 1:
            check_interval(row, "hp_difference", other - one)
        p_values["p_wins"].append(p_wins)
        p_values["p_hp"].append(float(row["p_hp"]))
    for name, found in p_values.items():
        order = np.argsort(found)
        corrected = np.maximum.accumulate([(len(found) - rank) * found[at] for rank, at in enumerate(order)])
        for at, expected in zip(order, corrected):
            close(differences[at][f"{name}_holm"], min(expected, 1.0), 4e-4, f"Holm's correction of {name}")


def check_parquet(folder, name, in_words):
    table = parquet.read_table(folder / f"{name}.parquet").to_pylist()
    assert len(table) == len(in_words), name
    for exact, row in zip(table, in_words):
        for column, value in exact.items():
            if value is None:
                assert row[column] == "", (name, column)
            elif isinstance(value, float):
                close(row[column], value, 0.0051 + 0.06 * abs(value), f"{name}, {column}")
            else:
                assert row[column] == str(value), (name, column)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for seed, repeats in itertools.product((1, 2, 3), (5, 40)):
            folder = scratch / f"{seed}-{repeats}"
            folder.mkdir()
            for name, hp in (("near", 90 + 20 * seed), ("far", 180)):
                (folder / f"{name}-floor.toml").write_text(FLOOR.format(name=name, hp=hp), encoding="utf-8")
            config = CONFIG.format(name="batch", seed=seed, repeats=repeats)
            (folder / "batch.toml").write_text(config, encoding="utf-8")
            subprocess.run([MOTA, "run", "batch.toml"], cwd=folder, check=True, capture_output=True)
            tables = folder / "runs/batch/report/tables"
            named = {name: rows(tables / f"{name}.csv") for name in ("results", "episodes", "differences")}
            check_results(named["results"], named["episodes"])
            check_differences(named["differences"], named["episodes"])
            for name, in_words in named.items():
                check_parquet(tables, name, in_words)
            won = sum(episode["ending"] == "won" for episode in named["episodes"])
            print(f"seed {seed}, {repeats} repeats: {won} of {len(named['episodes'])} won; all as scipy has it")


if __name__ == "__main__":
    main()
