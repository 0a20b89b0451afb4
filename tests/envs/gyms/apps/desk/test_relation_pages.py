"""The help desk's pages of merging and of parents, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk import relation_pages as pages
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.data import CLOSED, Item
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def find_other(request: RequestContext, ticket: Item, same_customer: bool) -> Item:
    tickets: list[Item] = request.state["tickets"]
    return next(
        other
        for other in tickets
        if other is not ticket
        and other["status"] != CLOSED
        and (other["customer"] == ticket["customer"]) == same_customer
    )


def test_other_tickets_of_the_customer_are_offered() -> None:
    request = make_request(DESK, path="/tickets/t1/merge")
    ticket = request.state["tickets"][0]
    other = find_other(request, ticket, same_customer=True)
    page = pages.show_merge(request, "t1")
    assert f"/desk/tickets/t1/merge?into={other['number']}" in page
    for row in request.state["tickets"][1:]:
        row["customer"] = "cf1"
    assert "There are none" in text_of(pages.show_merge(request, "t1"))
    assert logged_events(request) == []


@pytest.mark.parametrize("same_customer", [True, False])
def test_a_merge_is_offered_only_where_it_is_possible(same_customer: bool) -> None:
    request = make_request(DESK, path="/tickets/t1/merge")
    other = find_other(request, request.state["tickets"][0], same_customer)
    request.query["into"] = other["number"].lower()
    text = text_of(pages.show_merge(request, "t1"))
    assert ("Yes, merge them" in text) is same_customer
    assert ("Tickets of different customers cannot be merged" in text) is not same_customer
    assert logged_events(request) == [f"desk:merge:t1:{other['id']}"]


def test_an_unknown_number_is_named() -> None:
    request = make_request(DESK, path="/tickets/t1/merge", query={"into": "HD-1"})
    assert "There is no ticket 'HD-1'" in text_of(pages.show_merge(request, "t1"))
    assert logged_events(request) == []


def test_a_merge_leads_to_the_ticket_that_goes_on() -> None:
    request = make_request(DESK, path="/tickets/t1/merge/merge", form={})
    other = find_other(request, request.state["tickets"][0], same_customer=True)
    request.form["into"] = other["id"]
    assert pages.merge_tickets(request, "t1").path == f"/desk/tickets/{other['id']}"
    assert request.state["tickets"][0]["merged"] == other["id"]


def test_a_parent_is_set_by_number_and_taken_away() -> None:
    request = make_request(DESK, path="/tickets/t34/parent/save", form={"parent": ""})
    assert 'value="HD-2017"' in pages.show_parent_form(request, "t34")
    pages.save_parent(request, "t34")
    assert request.state["tickets"][33]["parent"] is None
    request.form["parent"] = " hd-2017 "
    assert pages.save_parent(request, "t34").flash == "✓ Parent saved"
    assert request.state["tickets"][33]["parent"] == "t17"
    request.form["parent"] = "HD-1"
    with pytest.raises(Refused, match="no ticket"):
        pages.save_parent(request, "t34")
