"""Variants of right work: other order, other spelling, the same meaning."""

from __future__ import annotations

import copy

from envs.gyms.server.audit_variants import reorder_records, respell
from envs.gyms.server.gym import State

OLD = {"id": "r1", "number": "EX-1", "text": "old", "lines": [{"id": "1", "text": "a"}]}
BEFORE: State = {"app": {"reports": [OLD], "likes": []}, "log": []}


def report(key: str, text: str, *lines: str) -> State:
    records = [{"id": str(place), "text": line} for place, line in enumerate(lines, 1)]
    return {"id": key, "number": f"EX-{key[1:]}", "text": text, "lines": records}


def with_reports(*reports: State, likes: tuple[str, ...] = ()) -> State:
    return {"app": {"reports": [OLD, *reports], "likes": list(likes)}, "log": []}


def test_new_records_come_in_the_opposite_order_with_the_numbers_of_then() -> None:
    after = with_reports(report("r2", "x"), report("r3", "y"), likes=("r2", "r1"))
    kept = copy.deepcopy(after)
    variant = reorder_records(BEFORE, after, {"reports"})
    assert variant == with_reports(report("r2", "y"), report("r3", "x"), likes=("r3", "r1"))
    assert after == kept


def test_records_inside_of_others_are_turned_round_as_well() -> None:
    after = with_reports(report("r2", "x", "a", "b"))
    variant = reorder_records(BEFORE, after, {"reports", "lines"})
    assert variant == with_reports(report("r2", "x", "b", "a"))


def test_one_new_record_has_no_other_order() -> None:
    assert reorder_records(BEFORE, with_reports(report("r2", "x", "a")), {"reports"}) is None
    assert reorder_records(BEFORE, with_reports(report("r2", "x"), report("r3", "y")), ()) is None


def test_what_was_entered_is_spelled_otherwise() -> None:
    person = {"id": "u1", "email": "a@x.example", "phone": "+1 555 1", "city": "Oslo", "name": "A"}
    before = {"app": {"staff": [person]}}
    changed = person | {"email": "b@x.example", "phone": "+1 555 2", "name": "B"}
    variant = respell(before, {"app": {"staff": [changed]}})
    spelled = changed | {"email": "B@X.EXAMPLE", "phone": "+1-555-2"}
    assert variant == {"app": {"staff": [spelled]}}
    assert respell(before, {"app": {"staff": [person | {"name": "B"}]}}) is None
