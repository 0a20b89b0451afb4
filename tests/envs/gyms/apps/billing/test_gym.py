"""Billing as a gym: its templates, in order, with their levels."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM

LEVELS = {
    "pay_invoice": 3,
    "pay_part": 3,
    "pay_twice": 2,
    "send_draft": 2,
    "void_invoice": 2,
    "new_invoice": 3,
    "change_contact": 3,
    "hold_customer": 2,
    "open_amount": 2,
    "longest_overdue": 2,
    "pause_schedule": 2,
    "reschedule": 3,
}


def test_templates_and_their_levels() -> None:
    assert {name: GYM.level(name) for name in GYM.templates} == LEVELS
    assert list(GYM.templates) == list(LEVELS)
