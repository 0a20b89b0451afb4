"""Billing's pages of invoices, in the world of seed 1 (dates and money as in Europe)."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing import invoices
from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.billing.data import DRAFT, SENT, make_state
from envs.gyms.apps.billing.rules import get_open_amount, is_overdue
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

WORLD = get_company(1)


def find_invoice(status: str) -> str:
    state = make_state(WORLD)
    return next(str(i["id"]) for i in state["invoices"] if i["status"] == status)


def test_the_overview_counts_overdue_invoices_and_drafts() -> None:
    request = make_request(BILLING)
    rows = request.state["invoices"]
    overdue = sum(is_overdue(invoice, WORLD.today) for invoice in rows)
    drafts = sum(invoice["status"] == DRAFT for invoice in rows)
    text = text_of(invoices.show_overview(request))
    assert f"Today 12.05.2026 Overdue invoices {overdue} Drafts {drafts}" in text


def test_the_list_says_overdue_in_place_of_sent() -> None:
    request = make_request(BILLING, path="/invoices", query={"status": "Overdue"})
    text = text_of(invoices.show_invoices(request))
    overdue = sum(is_overdue(invoice, WORLD.today) for invoice in request.state["invoices"])
    assert f"{overdue} found, sorted by Newest" in text
    assert logged_events(request) == ["billing:invoices"]


def test_a_paid_invoice_shows_its_lines_and_payment() -> None:
    request = make_request(BILLING, path="/invoices/i1")
    text = text_of(invoices.show_invoice(request, "i1"))
    assert "Invoice INV-1001" in text
    assert "Status Paid Date 12.01.2026 Due 26.01.2026 Total 2.090,00 € Open 0,00 €" in text
    assert "Training 1 207,50 € 207,50 € Licence 5 376,50 € 1.882,50 €" in text
    assert "Payments 07.03.2026 2.090,00 € by Cash" in text
    assert "Record payment" not in text
    assert "Send invoice" not in text
    assert logged_events(request) == ["billing:invoice:i1"]
    with pytest.raises(NotFound):
        invoices.show_invoice(request, "i999")


@pytest.mark.parametrize(("status", "action"), [(DRAFT, "Send invoice"), (SENT, "Record payment")])
def test_what_can_be_done_depends_on_the_status(status: str, action: str) -> None:
    key = find_invoice(status)
    request = make_request(BILLING, path=f"/invoices/{key}")
    assert action in text_of(invoices.show_invoice(request, key))


def test_a_draft_is_created_sent_and_voided() -> None:
    form = {"customer": "f1", "text": "Hosting", "qty": "3", "price": "12,50"}
    request = make_request(BILLING, path="/invoices/new/create", form=form)
    redirect = invoices.create_invoice(request)
    assert (redirect.path, redirect.flash) == ("/billing/invoices/i151", "✓ Created INV-1151")
    invoice = request.state["invoices"][-1]
    assert (invoice["total"], invoice["date"]) == (3750, WORLD.today)
    assert invoices.send_invoice(request, "i151").flash == "✓ Invoice sent"
    assert invoices.void_invoice(request, "i151").flash == "✓ Invoice is now void"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("qty", "two", "Quantity must be from 1 to 99"),
        ("customer", "f99", "Choose one: Customer"),
        ("text", "Gold", "Choose one: Service"),
        ("price", "-1", "Price must be an amount such as 120,50 €"),
    ],
)
def test_forms_with_bad_values_are_refused(field: str, value: str, message: str) -> None:
    form = {"customer": "f1", "text": "Hosting", "qty": "3", "price": "12,50", field: value}
    request = make_request(BILLING, path="/invoices/new/create", form=form)
    with pytest.raises(Refused, match=message):
        invoices.create_invoice(request)
    assert len(request.state["invoices"]) == 150


def test_a_payment_is_of_today_or_earlier() -> None:
    key = find_invoice(SENT)
    form = {"amount": "10,00", "day": "13.05.2026", "method": "Card"}
    request = make_request(BILLING, path=f"/invoices/{key}/payment/record", form=form)
    with pytest.raises(Refused, match="future"):
        invoices.record_payment(request, key)
    form["day"] = "12.05.2026"
    assert invoices.record_payment(request, key).path == f"/billing/invoices/{key}"
    assert request.state["payments"][-1]["amount"] == 1000
    page = make_request(BILLING, path=f"/invoices/{key}/payment", state=request.state)
    invoice = next(i for i in request.state["invoices"] if i["id"] == key)
    open_amount = WORLD.locale.format_money(get_open_amount(request.state, invoice))
    assert f"still open: {open_amount}" in text_of(invoices.show_payment(page, key))
