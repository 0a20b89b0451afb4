"""What the help desk's pages and tools call tickets and people."""

from __future__ import annotations

from envs.gyms.apps.desk import labels
from envs.gyms.apps.desk.app import DESK
from tests.envs.gyms.apps.app_requests import make_request


def test_labels_of_a_ticket() -> None:
    request = make_request(DESK)
    ticket = request.state["tickets"][0]
    assert labels.get_agent_name(request.state, ticket) == "Lina Vidal"
    assert labels.get_agent_name(request.state, ticket | {"assignee": None}) == labels.NOBODY
    customer = labels.get_customer(request, ticket)
    assert customer["id"] == "cf6"
    assert labels.get_searchable_text(request.state, ticket) == (
        "HD-2001 Wrong totals in Label printer Label printer "
        f"{customer['name']} {customer['org']} returns spare-part"
    )
    link = labels.link_ticket(request, ticket, "<HD>")
    assert link == '<a href="/desk/tickets/t1">&lt;HD&gt;</a>'


def test_agents_are_in_order() -> None:
    names = labels.list_agent_names(make_request(DESK))
    assert names == sorted(names)
    assert len(names) == 11
