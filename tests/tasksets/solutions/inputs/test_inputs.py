"""The made files together: their names, and that each is the same at every call."""

from __future__ import annotations

import re

import pytest

from tasksets.solutions import SOLUTIONS
from tasksets.solutions.inputs import INPUTS, input_name


def test_a_file_is_named_after_the_end_of_its_address() -> None:
    url = "https://x.example/os/0b17a146-2934-46c7-8727-73ff6b6483e8/Order%23%20A.xlsx?download=1"
    assert input_name(url) == "0b17a146/Order# A.xlsx"


@pytest.mark.parametrize("name", sorted(INPUTS))
def test_a_file_is_the_same_at_every_call(name: str) -> None:
    assert INPUTS[name]() == INPUTS[name]()


def test_expected_files_differ_from_the_ones_that_a_task_starts_with() -> None:
    """But for a format that only a CSV file shows, and a window's zoom."""
    same = {"6e99a1ad"}
    for name, make in INPUTS.items():
        start = re.sub(r"_gold(_gt)?(?=\.)|_Gold(_2)?(?=\.)", "", name)
        if start != name and start in INPUTS and name[:8] not in same:
            assert make() != INPUTS[start](), name


def test_files_belong_to_tasks_with_a_solution() -> None:
    # Three tasks share the workbook of a task that has no solution yet. OfficeWorld's files stand
    # in no folder: their names do not say whose they are.
    shared = {"0326d92d"}
    folders = {name[:8] for name in INPUTS if not name.startswith("/")}
    assert folders - {name[:8] for name in SOLUTIONS} == shared
