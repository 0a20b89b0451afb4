from __future__ import annotations

from tasksets.solutions.system import FONT, SYSTEM, TERMINAL, WIDE
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(SYSTEM, "files", "settings")


def test_the_terminal_becomes_wide_by_its_settings_file() -> None:
    edit = next(script[0] for script in SYSTEM.values() if script[0]["name"] == "files.edit")
    assert edit["arguments"] == {"path": TERMINAL, "old": FONT, "new": WIDE}
    assert "geometry_columns=132" in WIDE
