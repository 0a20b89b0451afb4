"""The drive's list of templates."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM


def test_templates_in_the_order_of_the_gym() -> None:
    assert len(GYM.templates) == 31
    assert GYM.templates[:3] == ("star_file", "rename_file", "rename_twin")
    assert GYM.templates[-1] == "keep_newest"
