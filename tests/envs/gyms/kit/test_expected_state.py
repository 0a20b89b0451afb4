"""What differs from the expected state, and what is right in another order or spelling."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from envs.gyms.apps.billing import rules as billing
from envs.gyms.apps.people import rules_expenses
from envs.gyms.kit.expected_state import Freedoms, check, is_equivalent
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import State
from envs.gyms.server.registry import get_web_gym
from envs.state.canonical import canonical
from tests.envs.json_states import STATES, entities

FREEDOMS = Freedoms(
    incidental=("/log",),
    numbered=frozenset({"bills", "lines", "notes"}),
    is_withdrawn=lambda kind, record: kind == "bills" and record.get("status") == "Void",
)


def bill(key: str, text: str, *lines: tuple[str, str], **rest: Any) -> State:
    return {
        "id": key,
        "number": f"N-{key}",
        "text": text,
        "lines": [{"id": name, "text": line} for name, line in lines],
        **rest,
    }


OLD = bill("b1", "old", ("1", "a"))
BEFORE: State = {"app": {"bills": [OLD], "likes": [], "people": []}, "log": []}


def with_changes(*bills: State, **parts: Any) -> State:
    return {"app": {**BEFORE["app"], "bills": [OLD, *bills], **parts}, "log": [len(bills)]}


def is_right(expected: State, after: State) -> bool:
    before = copy.deepcopy(BEFORE)
    verdict = is_equivalent(before, expected, after, FREEDOMS)
    assert before == BEFORE
    return verdict


def test_new_records_and_their_parts_may_come_in_any_order() -> None:
    reference = with_changes(bill("b2", "x", ("1", "a"), ("2", "b")), bill("b3", "y"))
    made = with_changes(bill("b2", "y"), bill("b3", "x", ("1", "b"), ("2", "a")))
    assert is_right(reference, made)
    assert is_right(reference, reference)
    for wrong in (
        with_changes(bill("b2", "y"), bill("b3", "x", ("1", "a"), ("2", "a"))),
        with_changes(bill("b2", "y"), bill("b3", "x", ("1", "a"))),
        with_changes(bill("b2", "y")),
        with_changes(bill("b2", "y"), bill("b3", "x", ("1", "b"), ("2", "a")), bill("b4", "z")),
    ):
        assert not is_right(reference, wrong)


def test_references_to_new_records_follow_their_names() -> None:
    reference = with_changes(bill("b2", "x"), bill("b3", "y"), likes=["b2"])
    assert is_right(reference, with_changes(bill("b2", "y"), bill("b3", "x"), likes=["b3"]))
    assert not is_right(reference, with_changes(bill("b2", "y"), bill("b3", "x"), likes=["b2"]))


def test_the_ids_of_lists_that_the_app_does_not_number_mean_something() -> None:
    assert not is_right(with_changes(people=[{"id": "u1"}]), with_changes(people=[{"id": "u2"}]))


def test_a_withdrawn_record_does_no_harm_and_is_none_that_was_asked_for() -> None:
    reference = with_changes(bill("b2", "x", status="Open"))
    void = bill("b2", "typo", status="Void")
    assert is_right(reference, with_changes(void, bill("b3", "x", status="Open")))
    assert not is_right(reference, with_changes(bill("b2", "x", status="Void")))
    assert not is_right(reference, with_changes(bill("b2", "x", status="Open"), bill("b3", "y")))
    assert not is_right(with_changes(), with_changes(void | {"id": "b1"}))


@pytest.mark.parametrize(
    ("field", "reference", "made", "same"),
    [
        ("email", "jan.berg@firm.example", "Jan.Berg@Firm.Example", True),
        ("email", "jan.berg@firm.example", "jan.bergs@firm.example", False),
        ("to", ["a@x.example", "b@x.example"], ["B@x.example", "a@x.example"], True),
        ("street", "12 Mill Road", "12 mill  road", True),
        ("phone", "+1 555 200 3000", "+1 (555) 200-3000", True),
        ("phone", "+1 555 200 3000", "+1 555 200 3001", False),
        ("body", "+1 555 200 3000\nAna", "+1 (555) 200-3000\nAna", True),
        ("body", "Call +1 555 200 3000\nAna", "Call +15552003000\nAna", False),
        ("body", "+1 555 200 3000\nAna", "+1 555 200 3001\nAna", False),
        ("text", "Hello", "hello", False),
    ],
)
def test_spelling_is_free_where_it_means_nothing(
    field: str, reference: Any, made: Any, same: bool
) -> None:
    assert is_right(with_changes(**{field: reference}), with_changes(**{field: made})) == same


def test_an_expense_report_may_have_its_lines_in_any_order() -> None:
    gym = get_web_gym("people")
    task = gym.make_task("new_report", 1)
    p, before = task.params, gym.initial_state(task)
    world = gym.make_world(1) if isinstance(gym, AppGym) else None
    assert world is not None
    scores = []
    for order in ((1, 2), (2, 1), (1, 1)):
        after = gym.initial_state(task)
        part = after["people"]
        report = rules_expenses.create_report(part, p["person"], p["purpose"], world.today)
        for n in order:
            kind, day, cents, receipt = (
                p[f"{key}{n}"] for key in ("kind", "day", "cents", "receipt")
            )
            rules_expenses.add_line(part, report["id"], kind, day, cents, receipt, world.today)
        rules_expenses.submit_report(part, report["id"])
        scores.append(gym.verdict(task, before, after, None, False).success)
    assert scores == [True, True, False]


def test_an_invoice_may_be_voided_and_made_again() -> None:
    gym = get_web_gym("billing")
    task = gym.make_task("new_invoice", 1)
    assert isinstance(gym, AppGym)
    p, world = task.params, gym.make_world(1)
    after = gym.initial_state(task)
    part = after["billing"]
    customer, service = p["customer"], p["service"]
    wrong = billing.create_invoice(part, customer, service, p["qty"] + 1, p["cents"], world.today)
    billing.create_invoice(part, customer, service, p["qty"], p["cents"], world.today)
    assert not gym.verdict(task, gym.initial_state(task), after, None, False).success
    billing.void_invoice(part, wrong["id"])
    assert gym.verdict(task, gym.initial_state(task), after, None, False).success


CART: State = {"cart": entities("p1"), "coupon": None, "wishlist": [], "log": []}
EXPECTED_CART: State = {"cart": entities("p1", "p2"), "coupon": None, "wishlist": [], "log": []}


def test_expectation_holds_when_exactly_the_required_changes_were_made() -> None:
    after = {**EXPECTED_CART, "log": ["looked"]}
    findings = check(CART, EXPECTED_CART, after, incidental=("/log*",))
    assert findings.holds
    assert findings.summary() == {}


def test_expectation_tells_missing_wrong_passing_and_forbidden_apart() -> None:
    nothing = check(CART, EXPECTED_CART, CART)
    assert nothing.summary() == {"missing": ["added /cart/p2"]}
    other_value = {**CART, "cart": [*entities("p1"), {"id": "p2", "qty": 3}]}
    assert check(CART, EXPECTED_CART, other_value).summary() == {"wrong": ["added /cart/p2"]}
    coupon = {**EXPECTED_CART, "coupon": "SAVE10"}
    on_the_way = check(CART, EXPECTED_CART, coupon, passing=("/coupon",))
    assert on_the_way.summary() == {"passing": ["changed /coupon"]}
    assert not on_the_way.holds
    harm = {**EXPECTED_CART, "wishlist": entities("p9")}
    assert check(CART, EXPECTED_CART, harm).summary() == {"forbidden": ["added /wishlist/p9"]}


@given(STATES, STATES, STATES)
def test_expectation_holds_only_for_the_expected_state(
    before: Any, reference: Any, got: Any
) -> None:
    assert check(before, reference, reference).holds
    assert check(before, reference, got).holds == (canonical(reference) == canonical(got))
