from __future__ import annotations

from tasksets.solutions.gimp import GIMP, OPEN_PREFERENCES
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(GIMP, "gimp")


def test_preferences_are_found_by_the_command_search() -> None:
    assert [action["type"] for action in OPEN_PREFERENCES] == ["key", "type", "wait", "key"]
