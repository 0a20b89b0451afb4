"""What is kept for OSWorld's tasks: ids, and actions that a desktop takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envs.actions import action_adapter
from envs.solutions import SOLUTIONS, solution
from envs.tasks import Task
from envs.tools import desktop_tools as _desktop_tools  # noqa: F401  registers the tools
from envs.tools.registry import is_tool

SPLIT = Path(__file__).parents[3] / "envs" / "solutions" / "osworld.json"


def test_the_split_list_names_each_solution_once() -> None:
    listed = [one for ids in json.loads(SPLIT.read_bytes()).values() for one in ids]
    assert sorted(listed) == sorted(SOLUTIONS)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_actions_are_those_of_a_desktop_and_come_to_an_end(name: str) -> None:
    for action in SOLUTIONS[name]:
        if "named" not in action.get("target", {}):
            action_adapter.validate_python(action)
        assert action["type"] != "tool" or is_tool(action["name"], "desktop"), action["name"]
    assert SOLUTIONS[name][-1]["type"] in ("done", "infeasible")


def test_a_solution_keeps_to_the_actions_that_are_allowed() -> None:
    docks, tabs = "d52d6308-ec58-42b7-a2c9-de80e4837b2b", "2ad9387a-65d8-4e33-ad5b-7580065a27ca"
    for name, tools, known in (
        (docks, "gui", True), (docks, "api", False), (docks, "both", True),
        (tabs, "gui", False), (tabs, "api", True), ("other", "both", False),
    ):  # fmt: skip
        task = Task(id=name, instruction="", env="desktop", tools=tools)  # type: ignore[arg-type]
        assert (solution(task) is not None) is known, (name, tools)
