"""The billing state of a seed."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing.data import INVOICES, PAID, SCHEDULES, make_state
from envs.gyms.kit.company import get_company


def test_a_seed_makes_one_state() -> None:
    state = make_state(get_company(1))
    assert state == make_state(get_company(1))
    assert state != make_state(get_company(2))
    assert len(state["invoices"]) == INVOICES
    assert len(state["schedules"]) == SCHEDULES
    assert state["customers"][0] == {
        "id": "f1",
        "name": "Summit Labs",
        "contact": "Mark Brandt",
        "email": "mark.brandt@summit-labs.example",
        "terms": "30",
        "hold": False,
    }
    assert state["payments"][0] == {
        "id": "p1",
        "invoice": "i1",
        "date": "2026-03-07",
        "amount": 209000,
        "method": "Cash",
    }


@pytest.mark.parametrize("seed", range(5))
def test_paid_invoices_have_one_payment_of_their_total(seed: int) -> None:
    state = make_state(get_company(seed))
    payments = {payment["invoice"]: payment for payment in state["payments"]}
    assert len(payments) == len(state["payments"])
    for invoice in state["invoices"]:
        assert invoice["total"] == sum(line["qty"] * line["price"] for line in invoice["lines"])
        assert (invoice["id"] in payments) == (invoice["status"] == PAID)
        if invoice["status"] == PAID:
            assert payments[invoice["id"]]["amount"] == invoice["total"]
