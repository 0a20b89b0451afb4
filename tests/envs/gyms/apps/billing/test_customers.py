"""Billing's pages of customers, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing import customers
from envs.gyms.apps.billing.app import BILLING
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_the_list_filters_by_hold() -> None:
    request = make_request(BILLING, path="/customers", query={"hold": "Yes"})
    on_hold = sum(customer["hold"] for customer in request.state["customers"])
    text = text_of(customers.show_customers(request))
    assert f"{on_hold} found, sorted by Name" in text
    assert text.count("On hold") == 1 + on_hold


def test_a_customer_s_page_lists_only_its_invoices() -> None:
    request = make_request(BILLING, path="/customers/f1")
    text = text_of(customers.show_customer(request, "f1"))
    count = sum(invoice["customer"] == "f1" for invoice in request.state["invoices"])
    assert "Summit Labs Contact Mark Brandt E-mail mark.brandt@summit-labs.example" in text
    assert "Payment terms 30 days" in text
    assert f"{count} found, sorted by Newest" in text
    assert logged_events(request) == ["billing:customer:f1"]


def test_a_customer_is_edited() -> None:
    form = {"contact": "Ada  Blum", "email": "ada@summit.example", "terms": "60"}
    request = make_request(BILLING, path="/customers/f1/edit/save", form=form)
    assert customers.save_customer(request, "f1").flash == "✓ Customer saved"
    customer = request.state["customers"][0]
    assert (customer["contact"], customer["terms"]) == ("Ada Blum", "60")
    page = make_request(BILLING, path="/customers/f1/edit", state=request.state)
    assert 'value="ada@summit.example"' in customers.show_customer_form(page, "f1")
    form["contact"] = " "
    with pytest.raises(Refused, match="Contact is required"):
        customers.save_customer(request, "f1")


def test_hold_and_release_offer_each_other() -> None:
    request = make_request(BILLING, path="/customers/f1")
    assert "Put on hold" in text_of(customers.show_customer(request, "f1"))
    customers.hold_customer(request, "f1")
    assert "Release customer" in text_of(customers.show_customer(request, "f1"))
    customers.release_customer(request, "f1")
    assert request.state["customers"][0]["hold"] is False
