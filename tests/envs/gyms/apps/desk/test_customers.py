"""The help desk's pages of customers, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.customers import show_customer, show_customers
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_customers_are_filtered_by_plan() -> None:
    request = make_request(DESK, path="/customers", query={"plan": "Internal"})
    assert "12 found, sorted by Name" in text_of(show_customers(request))


def test_a_customer_s_page_lists_only_its_tickets() -> None:
    request = make_request(DESK, path="/customers/cf1")
    text = text_of(show_customer(request, "cf1"))
    count = sum(ticket["customer"] == "cf1" for ticket in request.state["tickets"])
    assert "Mark Brandt Organisation Summit Labs" in text
    assert "Phone +1 555 745 4057 Plan Basic" in text
    assert f"{count} found, sorted by Newest" in text
    assert "Number Subject Priority Status" in text
    assert logged_events(request) == ["desk:customer:cf1"]
    with pytest.raises(NotFound):
        show_customer(request, "cf99")
