from __future__ import annotations

from tasksets.solutions.infeasible import INFEASIBLE
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(INFEASIBLE)


def test_nothing_is_done_and_a_reason_is_given() -> None:
    for script in INFEASIBLE.values():
        assert [action["type"] for action in script] == ["infeasible"]
        assert len(script[0]["reason"]) > 10
