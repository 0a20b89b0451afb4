"""The portal's list of templates."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM


def test_templates_in_the_order_of_the_gym() -> None:
    assert len(GYM.templates) == 27
    assert GYM.templates[:3] == ("waiting_count", "hired_on", "salary_of")
    assert GYM.templates[-2:] == ("hire", "finish_draft")
