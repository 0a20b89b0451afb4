"""A web gym behind gymnasium's interface, for agents that use nothing else of Deskhand.

    .venv/bin/python examples/gymnasium_loop.py
    .venv/bin/python examples/gymnasium_loop.py --gym mail --episodes 5

The observation has the page as text, one element a line, each with its number:

    button New customer #12

An action is one line, such as `click #12`, `click New customer` or `enter Search = lamp`. The
reward is the verdict's score, once, at the end. Put your agent in the place of `act_at_random`.
"""

from __future__ import annotations

import argparse
import random
import re
from typing import Any

import gymnasium

from agent_server.adapters.gymnasium_env import register_gyms

Env = gymnasium.Env[dict[str, Any], str]


def act_at_random(observation: dict[str, Any], rng: random.Random) -> str:
    """A click on any link or button; now and then the claim to be done."""
    numbers = re.findall(r"^(?:link|button) .* #(\d+)$", observation["tree"], re.MULTILINE)
    return f"click #{rng.choice(numbers)}" if numbers and rng.random() < 0.9 else "done"


def play(env: Env, seed: int, rng: random.Random) -> float:
    """One episode; returns its reward. The same seed is always the same task."""
    observation, info = env.reset(seed=seed)
    print(f"seed {seed}: {info['instruction']}")
    while True:
        action = act_at_random(observation, rng)
        observation, reward, terminated, truncated, info = env.step(action)
        print(f"  {action}: {info['result']}, on page {observation['title']!r}")
        if terminated or truncated:
            print(f"  reward {float(reward):.2f}, success {info['success']}", flush=True)
            return float(reward)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--gym", default="billing", help="see `deskhand gym list`")
    parser.add_argument("--episodes", type=int, default=3)
    options = parser.parse_args()
    rng = random.Random(0)
    register_gyms()
    env: Env = gymnasium.make(f"deskhand/{options.gym}-v0")
    try:
        rewards = [play(env, seed, rng) for seed in range(options.episodes)]
    finally:
        env.close()  # stops gym server, host and Chromium
    print(f"mean reward {sum(rewards) / len(rewards):.2f}")


if __name__ == "__main__":
    main()
