"""Questions on people, leave and expenses.

Each has exactly one right answer: draws with a tie are drawn again.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.gyms.gym import OracleLost, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.records import one
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import PENDING, SUBMITTED
from envs.gyms.people.drawing import (
    DIRECTORY,
    EXPENSES,
    PERSON,
    draw_person,
    first_shown,
    look_of,
    part_of,
    plain,
    to_person,
)
from envs.gyms.view import Page


def _day(page: Page, name: str, p: Params) -> str:
    found = look_of(p).read_date(ways.value_of(page, name))
    if found is None:
        raise OracleLost(f"{name} is no date")
    return found


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def _waiting(world: Company, p: Params, before: State) -> str:
    return str(sum(leave["status"] == PENDING for leave in part_of(before)["leave"]))


def _read_waiting(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Overview", "the overview counts them")
    return ways.value_of(page, "Leave requests to decide on")


def _of_person(key: str) -> Callable[[Company, Params, State], str]:
    return lambda world, p, before: str(one(part_of(before), "staff", p["person"])[key])


def _read_hired(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    return ways.value_of(page, "Hired")


def _read_salary(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    page = yield from ways.open_link(page, "that is told here", "Pay and contract")
    return ways.value_of(page, "Salary")


def _draw_group(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(part_of(state)["staff"])
    return {"department": person["department"], "city": person["city"]}


def _group_size(world: Company, p: Params, before: State) -> str:
    wanted = (p["department"], p["city"])
    return str(sum((x["department"], x["city"]) == wanted for x in part_of(before)["staff"]))


def _read_group(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.narrow(page, "Department", p["department"])
    page = yield from ways.narrow(page, "City", p["city"])
    return next(x.name.split()[0] for x in page.lines if " found, sorted by " in x.name)


def _draw_department(world: Company, rng: random.Random, state: State) -> Params:
    department = rng.choice(DEPARTMENTS)
    days = sorted(p["hired"] for p in part_of(state)["staff"] if p["department"] == department)
    if days[-1] == days[-2]:
        raise Redraw("two were hired last")
    return {"department": department}


def _newest(world: Company, p: Params, before: State) -> str:
    mine = [x for x in part_of(before)["staff"] if x["department"] == p["department"]]
    return str(max(mine, key=lambda x: x["hired"])["name"])


def _find_newest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.narrow(page, "Department", p["department"])
    page = yield from ways.narrow(page, "Sort", "Newest")
    return first_shown(page)


def _draw_two(world: Company, rng: random.Random, state: State) -> Params:
    first, second = rng.sample(part_of(state)["staff"], 2)
    if first["hired"] == second["hired"]:
        raise Redraw("both were hired on the same day")
    return plain(world, first) | {"second": second["id"], "other": second["name"]}


def _earlier(world: Company, p: Params, before: State) -> str:
    both = [one(part_of(before), "staff", key) for key in (p["person"], p["second"])]
    return str(min(both, key=lambda x: x["hired"])["name"])


def _compare_hired(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    first = _day(page, "Hired", p)
    page = yield from to_person(page, p["other"])
    return str(p["name"] if first < _day(page, "Hired", p) else p["other"])


def _largest(world: Company, p: Params, before: State) -> str:
    waiting = [x for x in part_of(before)["reports"] if x["status"] == SUBMITTED]
    return str(max(rules.total_of(x) for x in waiting))


def _read_largest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Expenses")
    page = yield from ways.narrow(page, "Status", SUBMITTED)
    page = yield from ways.narrow(page, "Sort", "Largest")
    page = yield from ways.open_item(page, first_shown(page))
    return ways.value_of(page, "Total")


TEMPLATES = (
    Template(
        "waiting_count", ("answer",), 3,
        ("How many leave requests wait for a decision?",
         "Tell how many requests for leave are still to be decided on in the whole company."),
        _draw_nothing, _read_waiting, (FINISHED,), answer=_waiting, answer_kind="number",
    ),
    Template(
        "hired_on", ("search", "answer"), 5,
        ("On which day was {name} hired?", "Since which date does {name} work here?",
         "Give the date on which {name} was hired."),
        draw_person, _read_hired, (DIRECTORY, PERSON, FINISHED), answer=_of_person("hired"),
        answer_kind="date",
    ),
    Template(
        "salary_of", ("search", "answer"), 6,
        ("What does {name} earn a year?", "Tell the yearly salary of {name}.",
         "How much is {name}'s salary?"),
        draw_person, _read_salary, (PERSON, ("pay", saw("people:pay:{person}")), FINISHED),
        answer=_of_person("salary"), answer_kind="money",
    ),
    Template(
        "group_size", ("filter", "answer"), 7,
        ("How many people of {department} work in {city}?",
         "Count the people in the department {department} whose city is {city}."),
        _draw_group, _read_group, (DIRECTORY, FINISHED), answer=_group_size, answer_kind="number",
    ),
    Template(
        "newest_colleague", ("filter", "sort", "answer"), 7,
        ("Who in the department {department} was hired last? Answer with the name.",
         "Name the person who joined {department} most recently."),
        _draw_department, _find_newest, (DIRECTORY, FINISHED), answer=_newest,
    ),
    Template(
        "hired_earlier", ("search", "compare", "recall", "answer"), 9,
        ("Who was hired earlier, {name} or {other}? Answer with the name.",
         "{name} and {other}: name the one who has worked here longer.",
         "Which of the two was hired first: {other} or {name}?"),
        _draw_two, _compare_hired, (PERSON, ("other", saw("people:person:{second}")), FINISHED),
        answer=_earlier,
    ),
    Template(
        "largest_claim", ("filter", "sort", "answer"), 8,
        ("What is the total of the largest expense report that is submitted, but not yet approved?",
         "Among the submitted expense reports, how much is the largest?"),
        _draw_nothing, _read_largest, (EXPENSES, FINISHED), answer=_largest, answer_kind="money",
    ),
)  # fmt: skip
