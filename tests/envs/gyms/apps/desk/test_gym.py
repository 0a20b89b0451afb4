"""The help desk as a gym: its templates, in order, with their levels."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM

LEVELS = {
    "assign_ticket": 2,
    "set_priority_status": 3,
    "internal_note": 3,
    "canned_answer": 3,
    "escalate_ticket": 3,
    "tag_and_due": 3,
    "new_ticket": 3,
    "merge_twins": 3,
    "merge_strangers": 3,
    "close_parent": 2,
    "set_parent": 3,
    "copy_serial": 4,
    "close_waiting": 5,
    "raise_low": 4,
    "hand_over": 5,
    "count_tickets": 2,
    "compare_load": 3,
    "most_overdue": 1,
    "first_due": 3,
    "drag_card": 2,
    "new_canned_reply": 2,
}


def test_templates_and_their_levels() -> None:
    assert {name: GYM.level(name) for name in GYM.templates} == LEVELS
    assert list(GYM.templates) == list(LEVELS)
