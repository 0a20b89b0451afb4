"""Billing's site tools."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.billing.data import DRAFT
from envs.gyms.apps.billing.tools import MAX_RESULTS, find_invoices, record_payment, send_invoice
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


def test_invoices_are_found_by_number_customer_and_status() -> None:
    context = make_tool_context(BILLING)
    (invoice,) = find_invoices.call(context.world, context.state, {"text": "inv-1001"})
    assert invoice["id"] == "i1"
    assert (invoice["total"], invoice["open"], invoice["status"]) == (209000, 0, "Paid")
    name = invoice["customer"]
    of_customer = find_invoices.call(context.world, context.state, {"text": name.upper()})
    assert "INV-1001" in [result["number"] for result in of_customer]
    drafts = find_invoices.call(context.world, context.state, {"text": "", "status": DRAFT})
    assert {draft["status"] for draft in drafts} == {DRAFT}
    everything = find_invoices.call(context.world, context.state, {"text": ""})
    assert len(everything) == MAX_RESULTS


def test_invoices_are_sent_and_paid_by_number() -> None:
    context = make_tool_context(BILLING)
    holds = {customer["id"]: customer["hold"] for customer in context.state["customers"]}
    draft = next(
        invoice
        for invoice in context.state["invoices"]
        if invoice["status"] == DRAFT and not holds[invoice["customer"]]
    )
    number, total = draft["number"], draft["total"]
    sent = send_invoice.call(context.world, context.state, {"number": number})
    assert sent == f"sent {number}"
    payment = {"number": number, "cents": total, "method": "Card"}
    paid = record_payment.call(context.world, context.state, payment)
    assert paid == f"recorded on {number}"
    statuses = {i["number"]: i["status"] for i in context.state["invoices"]}
    assert statuses[number] == "Paid"
    with pytest.raises(Refused, match="there is no invoice 'INV-1'"):
        send_invoice.call(context.world, context.state, {"number": "INV-1"})
