"""The environment of examples/gym_env.py against Gymnasium's own checker, and an episode by the values to the optimum.

Run from the project's root, with the program's path in the environment variable MOTA.
"""

import pathlib
import subprocess
import sys
import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env

sys.path.insert(0, str(pathlib.Path("examples").resolve()))
import gym_env  # noqa: E402

# What the checker only warns of counts as well.
with warnings.catch_warnings():
    warnings.simplefilter("error")
    env = gym_env.MotaEnv("floors/complex.toml")
    check_env(env, skip_render_check=True)
    env.close()

env = gym_env.MotaEnv("floors/complex.toml", "floors/hand01.toml", options=["--turns", "100"])
best = lambda actions: next(action["number"] for action in actions if action["regret"] == 0)
for floor, optimum in [(0, 68), (1, None)]:
    seen, info = env.reset(options={"index": floor})
    assert env.observation_space.contains(seen) or floor == 1, seen
    assert env.action_masks().sum() == len(info["observation"]["actions"])
    while not info["terminated"]:
        seen, reward, terminated, truncated, info = env.step(best(info["actions"]) - 1)
        assert reward == 0 and not truncated
    assert info["end"] == "won" and info["final_hp"] == info["optimum"], info
    assert optimum in (None, info["final_hp"])

# An action that is not legal changes nothing.
_, info = env.reset(options={"floor": "complex"})
_, reward, terminated, _, told = env.step(63)
assert "error" in told and reward == 0 and not terminated and told["observation"] == info["observation"]

# The same seed and the same actions give the same episode.
chance = lambda: np.random.default_rng(3)
episodes = []
for draw in (chance(), chance()):
    episodes.append(gym_env.play(env, lambda actions: draw.choice(actions)["number"]))
assert episodes[0] == episodes[1]
env.close()
assert env.program.returncode == 0

said = subprocess.run([sys.executable, "examples/gym_env.py", "floors/complex.toml"], capture_output=True, text=True)
assert said.returncode == 0, said.stderr
assert "by the values: won with 68 HP, the optimum is 68; reward 0" in said.stdout, said.stdout
print(said.stdout, end="")
