"""Magic Tower as an environment of Gymnasium's interface, over `mota step`.

    pip install gymnasium
    python examples/gym_env.py floors/complex.toml

plays one episode by the exact values and one at random. The program is `mota` on the path, or what the environment
variable MOTA names. What an agent sees and what it is rewarded for are a matter of taste: change `seen` and the reward
in `step`. `info` is all that `mota step` answers, the exact value of every legal action included.
"""

import json
import os
import subprocess
import sys

import gymnasium as gym
import numpy as np

HERO = ["hp", "atk", "def", "mdef", "gold", "experience"]


class MotaEnv(gym.Env):
    """Floors of one size. Action n is the legal action of number n + 1; what is not legal changes and earns nothing."""

    def __init__(self, *floors, options=(), most_actions=64):
        command = [os.environ.get("MOTA", "mota"), "step", *floors, *options]
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.floors, self.answer = floors, self.ask(reset={})
        self.action_space = gym.spaces.Discrete(most_actions)
        self.observation_space = gym.spaces.Dict(
            {
                "map": gym.spaces.Box(0, sys.maxunicode, self.seen()["map"].shape, np.int32),
                "hero": gym.spaces.Box(0, np.iinfo(np.int64).max, (len(HERO) + 4,), np.int64),
            }
        )

    def ask(self, **request):
        print(json.dumps(request), file=self.program.stdin, flush=True)
        return json.loads(self.program.stdout.readline())

    def seen(self):
        seen = self.answer["observation"]
        rows = [[[ord(symbol[0]) for symbol in row] for row in floor["rows"]] for floor in seen["floors"]]
        hero = [seen["hero"][name] for name in HERO] + list(seen["hero"]["keys"].values())
        return {"map": np.array(rows, np.int32), "hero": np.array(hero, np.int64)}

    def action_masks(self):
        return np.arange(self.action_space.n) < len(self.answer["actions"])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.answer = self.ask(reset=options or {"index": int(self.np_random.integers(len(self.floors)))})
        return self.seen(), self.answer

    def step(self, action):
        answer = self.ask(step={"action": int(action) + 1})
        if "error" in answer:
            return self.seen(), 0.0, False, False, {**self.ask(observe={}), **answer}
        self.answer = answer
        reward = -float(answer["reward"]["value_lost"] or 0)
        return self.seen(), reward, answer["terminated"], answer["truncated"], answer

    def close(self):
        self.program.communicate('{"close": {}}\n')


def play(env, choose):
    """Plays one episode; `choose` has the legal actions with their values. Returns the last answer and the rewards' sum."""
    _, info = env.reset(seed=7)
    total, over = 0.0, info["terminated"]
    while not over:
        _, reward, terminated, truncated, info = env.step(choose(info["actions"]) - 1)
        total, over = total + reward, terminated or truncated
    return info, total


def main():
    env = MotaEnv(*sys.argv[1:])
    chance = np.random.default_rng(7)
    best = lambda actions: next((action["number"] for action in actions if action["regret"] == 0), 1)
    for name, choose in [("by the values", best), ("at random", lambda actions: chance.choice(actions)["number"])]:
        info, total = play(env, choose)
        how = info["end"] or "truncated"
        print(f"{name}: {how} with {info['final_hp']} HP, the optimum is {info['optimum']}; reward {total:g}")
    env.close()


if __name__ == "__main__":
    main()
