from __future__ import annotations

from tasksets.solutions.chromium import CHROMIUM, SITE_DATA
from tests.tasksets.solutions.scripts import check_scripts


def test_scripts_are_actions_of_a_desktop() -> None:
    check_scripts(CHROMIUM, "chromium")


def test_site_data_is_set_by_hand_because_no_tool_sets_it() -> None:
    by_hand = [
        script
        for script in CHROMIUM.values()
        if any(action["type"] == "click" for action in script)
    ]
    assert [script[0]["arguments"] for script in by_hand] == [{"url": SITE_DATA}]
