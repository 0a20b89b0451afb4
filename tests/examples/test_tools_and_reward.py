"""The example of tools and a reward plays its problems to their end."""

from __future__ import annotations

from tests.examples.example_process import run_example


def test_its_problems_are_solved_by_rule() -> None:
    lines = run_example("tools_and_reward").strip().splitlines()
    assert len(lines) == 3
    assert all(line.endswith("3 steps, reward 1") for line in lines)
