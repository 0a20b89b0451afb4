"""The loop over gymnasium plays episodes to their reward."""

from __future__ import annotations

import random
import re

import pytest

from examples.gymnasium_loop import act_at_random
from tests.examples.example_process import run_example


def test_the_agent_clicks_what_the_page_shows() -> None:
    observation = {"tree": "button Menu #1\nbox Search = a #2\nlink Price #3 #4\ntext #5"}
    rng = random.Random(0)
    actions = {act_at_random(observation, rng) for _ in range(200)}
    assert actions == {"click #1", "click #4", "done"}
    assert act_at_random({"tree": "text empty"}, rng) == "done"


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_each_episode_ends_with_a_reward() -> None:
    output = run_example("gymnasium_loop", "--episodes", "2")
    assert output.count("seed ") == 2
    rewards = [float(reward) for reward in re.findall(r"  reward ([\d.]+), success", output)]
    assert len(rewards) == 2
    assert f"mean reward {sum(rewards) / 2:.2f}" in output
