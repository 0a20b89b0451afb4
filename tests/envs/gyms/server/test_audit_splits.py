"""Instructions that the splits share are told, and whether they could differ."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM as PEOPLE
from envs.gyms.server.audit_splits import compare_splits


def test_a_question_without_a_name_is_the_same_in_all_splits() -> None:
    row = compare_splits(PEOPLE, "waiting_count", 6)
    assert row.is_entity_free
    assert "How many leave requests wait for a decision?" in row.shared
    assert row.instructions == len(row.shared) == 2


def test_what_names_people_is_apart() -> None:
    row = compare_splits(PEOPLE, "change_pay", 6)
    assert (row.is_entity_free, row.shared) == (False, ())
