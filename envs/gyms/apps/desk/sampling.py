"""What the help desk's templates share: sampling of tickets, moves to their pages, milestones."""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.contract.actions import Scroll
from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import OPEN, WAITING, Item
from envs.gyms.apps.desk.labels import get_agent_name
from envs.gyms.kit import navigation
from envs.gyms.kit.records import get_record
from envs.gyms.kit.template import Params, Resample, visited_page
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page

VISITED_TICKETS = ("tickets", visited_page("desk:tickets"))
VISITED_TICKET = ("ticket", visited_page("desk:ticket:{ticket}"))


def desk_state(state: State) -> State:
    """The help desk's part of a session's state."""
    desk: State = state["desk"]
    return desk


def sample_ticket(rng: random.Random, state: State, fits: Callable[[Item], bool]) -> Item:
    """One of the tickets that fit. Raises Resample."""
    tickets: list[Item] = [ticket for ticket in desk_state(state)["tickets"] if fits(ticket)]
    if not tickets:
        raise Resample("there is no such ticket")
    return rng.choice(tickets)


def is_in_progress(ticket: Item) -> bool:
    """Whether an agent has the ticket, and it is open or waits."""
    return bool(ticket["status"] in (OPEN, WAITING) and ticket["assignee"])


def is_closable(desk: State, ticket: Item) -> bool:
    """Whether the ticket is in progress and all its sub-tickets are finished."""
    return is_in_progress(ticket) and not rules.list_unfinished_children(desk, ticket["id"])


def make_ticket_params(state: State, ticket: Item) -> Params:
    """Params that name a ticket and its customer."""
    customer = get_record(desk_state(state), "customers", ticket["customer"])
    return {
        "ticket": ticket["id"],
        "number": ticket["number"],
        "subject": ticket["subject"],
        "customer": customer["id"],
        "name": customer["name"],
        "org": customer["org"],
    }


def sample_agent(rng: random.Random, state: State, *excluded: str | None) -> Params:
    """An agent who is not on leave; `excluded` are ids."""
    agents = [
        agent
        for agent in desk_state(state)["agents"]
        if not agent["away"] and agent["id"] not in excluded
    ]
    agent = rng.choice(agents)
    return {"agent": agent["id"], "agent_name": agent["name"]}


def list_tickets_of_agent(state: State, name: str, status: str) -> list[Item]:
    """The tickets of a status that an agent has."""
    desk = desk_state(state)
    return [
        ticket
        for ticket in desk["tickets"]
        if ticket["status"] == status and get_agent_name(desk, ticket) == name
    ]


def read_rows(page: Page) -> list[tuple[str, list[str]]]:
    """The tickets of the list that is open: the number and the texts of each."""
    rows: list[tuple[str, list[str]]] = []
    for line in page.lines:
        if line.role == "link":
            if line.name.startswith("HD-"):
                rows.append((line.name, []))
            elif rows:
                break
        elif rows:
            rows[-1][1].append(line.name)
    return rows


def open_ticket(page: Page, number: str) -> navigation.Moves:
    """Leads to the ticket with this number."""
    page = yield from navigation.go_to(page, "Tickets")
    page = yield from navigation.search(page, number)
    return (yield from navigation.open_item(page, number))


def open_ticket_by_subject(page: Page, p: Params) -> navigation.Moves:
    """Leads to the newest ticket of the customer that has exactly the subject of the task."""
    page = yield from open_ticket_list(page, f"{p['subject']} {p['name']} {p['org']}")
    for _ in range(navigation.MAX_PAGES):
        for number, texts in read_rows(page):
            if texts and texts[0] == p["subject"]:
                return (yield from navigation.open_item(page, number, "this is the one"))
        if page.has_more_below:
            page = yield from scroll_down(page)
        else:
            page = yield from navigation.open_link(page, "not on this page", "Next page")
    raise OracleLost(f"no ticket {p['subject']!r}")


def open_ticket_list(page: Page, search: str, **filters: str) -> navigation.Moves:
    """Leads to the list of tickets, searched and filtered by its drop-downs."""
    page = yield from navigation.go_to(page, "Tickets")
    if search:
        page = yield from navigation.search(page, search)
    for label, option in filters.items():
        page = yield from navigation.filter_list(page, label, option)
    return page


def save_ticket(page: Page, **fields: str) -> navigation.Moves:
    """Fills in and sends the form on a ticket's page."""
    page = yield from navigation.fill_fields(page, fields)
    return (yield from navigation.click(page, "save it", "Save ticket"))


def send_message(page: Page, fields: dict[str, str]) -> navigation.Moves:
    """Fills in and sends the form of a reply or note."""
    page = yield from navigation.fill_fields(page, fields)
    return (yield from navigation.click(page, "send it", "Send message"))


def scroll_down(page: Page) -> navigation.Moves:
    """Shows the next part of the page."""
    return (yield OracleMove("look further down", Scroll(dy=1, unit="page")))
