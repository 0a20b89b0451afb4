from __future__ import annotations

from tasksets.solutions.vlc import DARK, VLC
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(VLC, "vlc")


def test_vlc_starts_after_its_settings_changed() -> None:
    for script in VLC.values():
        assert [action["type"] for action in script] == ["tool", "launch", "done"]


def test_the_dark_slider_has_one_colour_at_four_marks() -> None:
    assert DARK == "10;10;10;10;10;10;10;10;10;10;10;10"
