"""The solutions of OSWorld's tasks together: their ids, and which one a task gets."""

from __future__ import annotations

import json
from pathlib import Path

from envs.contract.task import Task
from tasksets.solutions import SOLUTIONS, find_solution

FOLDER = Path(__file__).parents[3] / "tasksets" / "solutions"
SPLITS = ("osworld.json", "osworld_made.json", "officeworld_made.json")
"""Tasks that need no download, and those whose files are made."""


def test_the_split_lists_name_each_solution_once() -> None:
    splits = [json.loads((FOLDER / name).read_bytes()) for name in SPLITS]
    listed = [name for split in splits for ids in split.values() for name in ids]
    assert sorted(listed) == sorted(SOLUTIONS)


def test_a_solution_keeps_to_the_actions_that_are_allowed() -> None:
    docks, tabs = "d52d6308-ec58-42b7-a2c9-de80e4837b2b", "2ad9387a-65d8-4e33-ad5b-7580065a27ca"
    for name, tools, known in (
        (docks, "gui", True),
        (docks, "api", False),
        (docks, "both", True),
        (tabs, "gui", False),
        (tabs, "api", True),
        ("other", "both", False),
    ):
        task = Task(id=name, instruction="", env="desktop", tools=tools)  # type: ignore[arg-type]
        assert (find_solution(task) is not None) is known, (name, tools)
