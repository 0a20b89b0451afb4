from __future__ import annotations

from tasksets.solutions.impress import IMPRESS
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(IMPRESS, "impress")
