"""Mail's list of templates."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM


def test_templates_in_the_order_of_the_gym() -> None:
    assert len(GYM.templates) == 30
    assert GYM.templates[:3] == ("star", "mark_unread", "delete")
    assert GYM.templates[-2:] == ("vacation", "signature")
