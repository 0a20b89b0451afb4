"""Questions on tickets and agents: counts, comparisons, what is overdue or due first.

Each has exactly one right answer: draws with a tie are drawn again, or the state is prepared.
"""

from __future__ import annotations

import random

from envs.gyms.desk import rules
from envs.gyms.desk.data import CLOSED, OPEN, SOLVED, WAITING
from envs.gyms.desk.drawing import TICKETS, listed, of_agent, part_of, rows_of
from envs.gyms.gym import OracleLost, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page


def _count(page: Page) -> int:
    """How many the list says that it found."""
    for line in page.lines:
        if " found, sorted by" in line.name:
            return int(line.name.split()[0])
    raise OracleLost(f"no list on page {page.title!r}")


def _draw_count(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(part_of(state)["agents"])["name"]
    status = rng.choice((OPEN, WAITING, SOLVED))
    if not of_agent(state, name, status):
        raise Redraw("nobody has a ticket")
    return {"agent_name": name, "status": status}


def _read_count(page: Page, p: Params) -> Script:
    page = yield from listed(page, "", Status=p["status"], Assignee=p["agent_name"])
    return str(_count(page))


def _draw_load(world: Company, rng: random.Random, state: State) -> Params:
    first, second = (a["name"] for a in rng.sample(part_of(state)["agents"], 2))
    status = rng.choice((OPEN, CLOSED))
    if len(of_agent(state, first, status)) == len(of_agent(state, second, status)):
        raise Redraw("all agents have equally many tickets")
    return {"first": first, "second": second, "status": status}


def _more_loaded(world: Company, p: Params, before: State) -> str:
    names = (p["first"], p["second"])
    return str(max(names, key=lambda name: len(of_agent(before, name, p["status"]))))


def _compare_load(page: Page, p: Params) -> Script:
    counts = []
    page = yield from listed(page, "", Status=p["status"])
    for name in (p["first"], p["second"]):
        page = yield from ways.narrow(page, "Assignee", name)
        counts.append(_count(page))
    return str(p["first"] if counts[0] > counts[1] else p["second"])


def _late_of(world: Company, part: State) -> dict[str, int]:
    late = [t for t in part["tickets"] if t["assignee"] and rules.is_overdue(t, world.today)]
    return {a["name"]: sum(t["assignee"] == a["id"] for t in late) for a in part["agents"]}


def _make_latest(world: Company, rng: random.Random, state: State) -> None:
    """One agent has more overdue tickets than any other."""
    part = part_of(state)
    agent = rng.choice(part["agents"])
    late = [t for t in part["tickets"] if rules.is_overdue(t, world.today)]
    for ticket in late:
        counts = _late_of(world, part)
        most = max(count for name, count in counts.items() if name != agent["name"])
        if counts[agent["name"]] > most:
            break
        if ticket["assignee"]:
            ticket["assignee"] = agent["id"]


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def _most_late(world: Company, p: Params, before: State) -> str:
    counts = _late_of(world, part_of(before))
    return max(counts, key=lambda name: counts[name])


def _read_most_late(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Deadlines")
    counts: dict[str, int] = {}
    inside = False
    for line in page.lines:
        if line.role == "heading":
            inside = line.name == "Overdue by assignee"
        elif inside:
            name, _, count = line.name.rpartition(" ")
            counts[name] = int(count)
    counts.pop("Nobody", None)
    return max(counts, key=lambda name: counts[name])


def _draw_first_due(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(part_of(state)["agents"])["name"]
    days = sorted(t["due"] for t in of_agent(state, name, OPEN))
    if len(days) < 3 or days[0] == days[1]:
        raise Redraw("two tickets are due on the same day")
    return {"agent_name": name}


def _first_due(world: Company, p: Params, before: State) -> str:
    return str(min(of_agent(before, p["agent_name"], OPEN), key=lambda t: t["due"])["number"])


def _find_first_due(page: Page, p: Params) -> Script:
    page = yield from listed(page, "", Assignee=p["agent_name"], Status=OPEN, Sort="Due first")
    return rows_of(page)[0][0]


TEMPLATES = (
    Template(
        "count_tickets", ("filter", "answer"), 6,
        ("How many tickets of {agent_name} have the status {status}?",
         "Count the tickets assigned to {agent_name} that are {status}."),
        _draw_count, _read_count, (TICKETS, FINISHED), answer_kind="number",
        answer=lambda world, p, before: str(
            len(of_agent(before, p["agent_name"], p["status"]))
        ),
    ),
    Template(
        "compare_load", ("filter", "compare", "answer"), 8,
        ("Who has more tickets with the status {status}: {first} or {second}?",
         "Compare {first} and {second}: which of them has more tickets that are {status}? Answer "
         "with the name."),
        _draw_load, _compare_load, (TICKETS, FINISHED), answer=_more_loaded,
    ),
    Template(
        "most_overdue", ("compare", "answer"), 2,
        ("Which assignee has the most overdue tickets?",
         "Who of the support agents has most overdue tickets? Answer with the name."),
        _draw_nothing, _read_most_late, (("deadlines", saw("desk:deadlines")), FINISHED),
        answer=_most_late, prepare=_make_latest,
    ),
    Template(
        "first_due", ("filter", "sort", "answer"), 8,
        ("Which of the Open tickets of {agent_name} is due first? Answer with its number.",
         "Give the number of the ticket with status Open that {agent_name} has to finish first, by "
         "its due day."),
        _draw_first_due, _find_first_due, (TICKETS, FINISHED), answer=_first_due,
    ),
)  # fmt: skip
