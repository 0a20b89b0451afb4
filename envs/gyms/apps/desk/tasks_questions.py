"""Questions on tickets and agents: counts, comparisons, what is overdue or due first.

Each has exactly one right answer: params with a tie are sampled again, or the state is prepared.
"""

from __future__ import annotations

import random

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import CLOSED, OPEN, SOLVED, WAITING
from envs.gyms.apps.desk.labels import NOBODY
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKETS,
    desk_state,
    list_tickets_of_agent,
    open_ticket_list,
    read_rows,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.choices import choose_evenly, require_one_best
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page

COMPARED_AGENTS = 4


def _read_count(page: Page) -> int:
    """How many tickets the list says that it contains."""
    for line in page.lines:
        if " found, sorted by" in line.name:
            return int(line.name.split()[0])
    raise OracleLost(f"no list on page {page.title!r}")


def _sample_agent_and_status(world: Company, rng: random.Random, state: State) -> Params:
    def count(pair: tuple[str, str]) -> int:
        return len(list_tickets_of_agent(state, *pair))

    names = [agent["name"] for agent in desk_state(state)["agents"]]
    pairs = [(name, status) for name in names for status in (OPEN, WAITING, SOLVED)]
    name, status = choose_evenly(rng, filter(count, pairs), count)
    return {"agent_name": name, "status": status}


def _count_tickets(world: Company, p: Params, before: State) -> str:
    return str(len(list_tickets_of_agent(before, p["agent_name"], p["status"])))


def _read_ticket_count(page: Page, p: Params) -> Script:
    filters = {"Status": p["status"], "Assignee": p["agent_name"]}
    page = yield from open_ticket_list(page, "", **filters)
    return str(_read_count(page))


def _sample_agents(world: Company, rng: random.Random, state: State) -> Params:
    names = [agent["name"] for agent in rng.sample(desk_state(state)["agents"], COMPARED_AGENTS)]
    status = rng.choice((OPEN, CLOSED))
    require_one_best([len(list_tickets_of_agent(state, name, status)) for name in names])
    return {"names": names, "last": names[-1], "first": ", ".join(names[:-1]), "status": status}


def _get_busiest_agent(world: Company, p: Params, before: State) -> str:
    return str(
        max(p["names"], key=lambda name: len(list_tickets_of_agent(before, name, p["status"])))
    )


def _compare_agents(page: Page, p: Params) -> Script:
    counts: dict[str, int] = {}
    page = yield from open_ticket_list(page, "", Status=p["status"])
    for name in p["names"]:
        page = yield from navigation.filter_list(page, "Assignee", name)
        counts[name] = _read_count(page)
    return max(counts, key=lambda key: counts[key])


def _count_overdue(world: Company, desk: State) -> dict[str, int]:
    """Overdue tickets of each agent, by name."""
    assignees = [
        ticket["assignee"]
        for ticket in desk["tickets"]
        if ticket["assignee"] and rules.is_overdue(ticket, world.today)
    ]
    return {agent["name"]: assignees.count(agent["id"]) for agent in desk["agents"]}


def _prepare_most_overdue(world: Company, rng: random.Random, state: State) -> None:
    """Gives one agent more overdue tickets than any other."""
    desk = desk_state(state)
    agent = rng.choice(desk["agents"])
    for ticket in [t for t in desk["tickets"] if rules.is_overdue(t, world.today)]:
        counts = _count_overdue(world, desk)
        own_count = counts.pop(agent["name"])
        if own_count > max(counts.values()):
            break
        if ticket["assignee"]:
            ticket["assignee"] = agent["id"]


def _sample_company(world: Company, rng: random.Random, state: State) -> Params:
    return {"company": world.name}


def _get_most_overdue(world: Company, p: Params, before: State) -> str:
    counts = _count_overdue(world, desk_state(before))
    return max(counts, key=lambda name: counts[name])


def _read_most_overdue(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Deadlines")
    counts: dict[str, int] = {}
    is_in_section = False
    for line in page.lines:
        if line.role == "heading":
            is_in_section = line.name == "Overdue by assignee"
        elif is_in_section:
            name, _, count = line.name.rpartition(" ")
            counts[name] = int(count)
    counts.pop(NOBODY, None)
    return max(counts, key=lambda name: counts[name])


def _sample_agent_with_deadline(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(desk_state(state)["agents"])["name"]
    days = sorted(ticket["due"] for ticket in list_tickets_of_agent(state, name, OPEN))
    if len(days) < 3 or days[0] == days[1]:
        raise Resample("two tickets are due on the same day")
    return {"agent_name": name}


def _get_first_due(world: Company, p: Params, before: State) -> str:
    tickets = list_tickets_of_agent(before, p["agent_name"], OPEN)
    return str(min(tickets, key=lambda ticket: ticket["due"])["number"])


def _find_first_due(page: Page, p: Params) -> Script:
    filters = {"Assignee": p["agent_name"], "Status": OPEN, "Sort": "Due first"}
    page = yield from open_ticket_list(page, "", **filters)
    return read_rows(page)[0][0]


TEMPLATES = (
    Template(
        name="count_tickets",
        skills=("filter", "answer"),
        oracle_steps=6,
        phrasings=(
            "How many tickets of {agent_name} have the status {status}?",
            "Count the tickets assigned to {agent_name} that are {status}.",
        ),
        sample_params=_sample_agent_and_status,
        solve=_read_ticket_count,
        milestones=(VISITED_TICKETS, FINISHED),
        answer_kind="number",
        answer_units=("tickets", "ticket"),
        expected_answer=_count_tickets,
    ),
    Template(
        name="compare_load",
        skills=("filter", "compare", "answer"),
        oracle_steps=10,
        phrasings=(
            "Who has the most tickets with the status {status}: {first} or {last}?",
            "Compare {first} and {last}: which of them has the most tickets that are {status}? "
            "Answer with the name.",
        ),
        sample_params=_sample_agents,
        solve=_compare_agents,
        milestones=(VISITED_TICKETS, FINISHED),
        expected_answer=_get_busiest_agent,
    ),
    Template(
        name="most_overdue",
        skills=("compare", "answer"),
        oracle_steps=2,
        phrasings=(
            "Which assignee at {company} has the most overdue tickets?",
            "Who of the support agents of {company} has most overdue tickets? Answer with the "
            "name.",
        ),
        sample_params=_sample_company,
        solve=_read_most_overdue,
        milestones=(("deadlines", visited_page("desk:deadlines")), FINISHED),
        expected_answer=_get_most_overdue,
        prepare_state=_prepare_most_overdue,
    ),
    Template(
        name="first_due",
        skills=("filter", "sort", "answer"),
        oracle_steps=8,
        phrasings=(
            "Which of the Open tickets of {agent_name} is due first? Answer with its number.",
            "Give the number of the ticket with status Open that {agent_name} has to finish "
            "first, by its due day.",
        ),
        sample_params=_sample_agent_with_deadline,
        solve=_find_first_due,
        milestones=(VISITED_TICKETS, FINISHED),
        expected_answer=_get_first_due,
    ),
)
