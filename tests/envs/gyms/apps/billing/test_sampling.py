"""What billing's templates share."""

from __future__ import annotations

import random

import pytest

from envs.gyms.apps.billing.data import VOID, make_state
from envs.gyms.apps.billing.sampling import billing_state, make_invoice_params, sample_invoice
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample


def test_invoices_are_sampled_by_status() -> None:
    state = {"billing": make_state(get_company(1))}
    invoice = sample_invoice(random.Random(1), state, VOID)
    assert invoice["status"] == VOID
    assert invoice in billing_state(state)["invoices"]
    billing_state(state)["invoices"].clear()
    with pytest.raises(Resample, match="no invoice that is Void"):
        sample_invoice(random.Random(1), state, VOID)


def test_params_name_the_invoice_and_its_customer() -> None:
    state = {"billing": make_state(get_company(1))}
    invoice = state["billing"]["invoices"][0]
    params = make_invoice_params(state, invoice)
    names = {customer["id"]: customer["name"] for customer in state["billing"]["customers"]}
    assert params == {
        "invoice": "i1",
        "number": "INV-1001",
        "customer": "f31",
        "name": names["f31"],
    }
