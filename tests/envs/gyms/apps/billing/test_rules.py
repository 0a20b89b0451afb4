"""The rules of billing on a state that a reader can check by hand."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import DRAFT, PAID, SENT, VOID, Item
from envs.gyms.server.gym import NotFound, Refused, State


def make_invoice(number: int, status: str, customer: str = "f1") -> Item:
    return {
        "id": f"i{number}",
        "number": f"INV-{1000 + number}",
        "customer": customer,
        "date": "2026-03-01",
        "due": "2026-03-15",
        "status": status,
        "lines": [{"text": "Hosting", "qty": 2, "price": 5000}],
        "total": 10000,
    }


@pytest.fixture
def state() -> State:
    """Sent i1, draft i2, paid i3, draft i4 of a customer on hold."""
    return {
        "customers": [
            {"id": "f1", "contact": "A", "email": "a@x.example", "terms": "14", "hold": False},
            {"id": "f2", "contact": "B", "email": "b@x.example", "terms": "30", "hold": True},
        ],
        "invoices": [
            make_invoice(1, SENT),
            make_invoice(2, DRAFT),
            make_invoice(3, PAID),
            make_invoice(4, DRAFT, "f2"),
        ],
        "payments": [{"id": "p1", "invoice": "i3", "amount": 10000}],
        "schedules": [
            {"id": "s1", "amount": 500, "every": "Monthly", "next": "2026-04-01", "active": True}
        ],
    }


def test_payments_add_up_until_the_invoice_is_paid(state: State) -> None:
    invoice = state["invoices"][0]
    rules.record_payment(state, "i1", 4000, "Card", "2026-03-02")
    assert (invoice["status"], rules.get_paid_amount(state, invoice)) == (SENT, 4000)
    assert rules.get_open_amount(state, invoice) == 6000
    rules.record_payment(state, "i1", 6000, "Cash", "2026-03-03")
    assert (invoice["status"], rules.get_open_amount(state, invoice)) == (PAID, 0)
    assert state["payments"][-1] == {
        "id": "p3",
        "invoice": "i1",
        "date": "2026-03-03",
        "amount": 6000,
        "method": "Cash",
    }


@pytest.mark.parametrize(
    ("key", "amount", "method", "message"),
    [
        ("i2", 100, "Card", "INV-1002 is draft: it takes no payment"),
        ("i3", 100, "Card", "INV-1003 is paid: it takes no payment"),
        ("i1", 100, "Gold", "Choose one: Method"),
        ("i1", 10001, "Card", "more than what is still to be paid"),
    ],
)
def test_refused_payments_change_nothing(
    state: State, key: str, amount: int, method: str, message: str
) -> None:
    before = copy.deepcopy(state)
    with pytest.raises(Refused, match=message):
        rules.record_payment(state, key, amount, method, "2026-03-02")
    assert state == before
    with pytest.raises(NotFound):
        rules.record_payment(state, "i9", amount, method, "2026-03-02")


def test_only_sent_invoices_are_overdue(state: State) -> None:
    overdue = [i["id"] for i in state["invoices"] if rules.is_overdue(i, "2026-03-16")]
    assert overdue == ["i1"]
    assert not rules.is_overdue(state["invoices"][0], "2026-03-15")


def test_drafts_are_sent_unless_the_customer_is_on_hold(state: State) -> None:
    rules.send_invoice(state, "i2")
    assert state["invoices"][1]["status"] == SENT
    with pytest.raises(Refused, match="Only drafts"):
        rules.send_invoice(state, "i2")
    with pytest.raises(Refused, match="on hold"):
        rules.send_invoice(state, "i4")
    rules.set_hold(state, "f2", False)
    rules.send_invoice(state, "i4")


def test_an_invoice_with_a_payment_is_not_voided(state: State) -> None:
    rules.void_invoice(state, "i2")
    assert state["invoices"][1]["status"] == VOID
    with pytest.raises(Refused, match="that is void cannot be voided"):
        rules.void_invoice(state, "i2")
    rules.record_payment(state, "i1", 1, "Card", "2026-03-02")
    with pytest.raises(Refused, match="Something was paid"):
        rules.void_invoice(state, "i1")


def test_a_new_invoice_is_due_by_the_customer_s_terms(state: State) -> None:
    invoice = rules.create_invoice(state, "f1", "Training", 3, 250, "2026-02-20")
    assert invoice["id"] == "i5"
    assert invoice["number"] == "INV-1005"
    assert (invoice["due"], invoice["total"], invoice["status"]) == ("2026-03-06", 750, DRAFT)
    for quantity in (0, 100):
        with pytest.raises(Refused, match="from 1 to 99"):
            rules.create_invoice(state, "f1", "Training", quantity, 250, "2026-02-20")


def test_customers_are_edited_with_an_address_and_known_terms(state: State) -> None:
    rules.edit_customer(state, "f1", "C", "c@y.example", "60")
    customer = state["customers"][0]
    assert (customer["contact"], customer["email"], customer["terms"]) == ("C", "c@y.example", "60")
    for email, terms in (("nobody", "60"), ("a b@c", "60"), ("a@c", "15")):
        with pytest.raises(Refused):
            rules.edit_customer(state, "f1", "D", email, terms)
    assert customer["contact"] == "C"


def test_schedules_are_edited_paused_and_resumed(state: State) -> None:
    schedule = state["schedules"][0]
    rules.edit_schedule(state, "s1", 900, "Yearly", "2026-05-01", "2026-03-01")
    assert (schedule["amount"], schedule["every"], schedule["next"]) == (
        900,
        "Yearly",
        "2026-05-01",
    )
    with pytest.raises(Refused, match="future"):
        rules.edit_schedule(state, "s1", 900, "Yearly", "2026-03-01", "2026-03-01")
    with pytest.raises(Refused, match="Every"):
        rules.edit_schedule(state, "s1", 900, "Weekly", "2026-05-01", "2026-03-01")
    with pytest.raises(Refused, match="Nothing to change"):
        rules.set_active(state, "s1", True)
    rules.set_active(state, "s1", False)
    assert schedule["active"] is False
