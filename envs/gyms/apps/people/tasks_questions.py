"""Questions on people and leave that one page answers."""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.gyms.apps.people.oracle_moves import VISITED_DIRECTORY, VISITED_PERSON, open_person
from envs.gyms.apps.people.sampling import people_part, sample_person
from envs.gyms.apps.people.vocabulary import PENDING
from envs.gyms.kit import navigation
from envs.gyms.kit.choices import choose_evenly
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

FOUND = " found, sorted by "
"""In the line that says how many entries a list has."""


def sample_company(world: Company, rng: random.Random, state: State) -> Params:
    """Nothing but whose portal it is, as the question says."""
    return {"company": world.name}


def _count_pending_leave(world: Company, p: Params, before: State) -> str:
    return str(sum(leave["status"] == PENDING for leave in people_part(before)["leave"]))


def _read_pending_leave(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Overview", "the overview counts them")
    return navigation.read_value(page, "Leave requests to decide on")


def _person_field(key: str) -> Callable[[Company, Params, State], str]:
    return lambda world, p, before: str(get_record(people_part(before), "staff", p["person"])[key])


def _read_hired(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    return navigation.read_value(page, "Hired")


def _read_salary(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "that is told here", "Pay and contract")
    return navigation.read_value(page, "Salary")


def _sample_group(world: Company, rng: random.Random, state: State) -> Params:
    groups = sorted({(p["department"], p["city"]) for p in people_part(state)["staff"]})
    department, city = choose_evenly(rng, groups, lambda group: _count_outside(state, *group))
    return {"department": department, "city": city, "company": world.name}


def _count_outside(state: State, department: str, city: str) -> int:
    return sum(
        person["city"] == city and person["department"] != department
        for person in people_part(state)["staff"]
    )


def _read_group_size(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Directory")
    page = yield from navigation.filter_list(page, "City", p["city"])
    city_size = _read_count(page)
    page = yield from navigation.filter_list(page, "Department", p["department"])
    return str(city_size - _read_count(page))


def _read_count(page: Page) -> int:
    """How many people the list says that it contains."""
    return int(next(line.name for line in page.lines if FOUND in line.name).split()[0])


TEMPLATES = (
    Template(
        name="waiting_count",
        skills=("answer",),
        oracle_steps=3,
        phrasings=(
            "How many leave requests at {company} wait for a decision?",
            "Tell how many requests for leave are still to be decided on in all of {company}.",
        ),
        sample_params=sample_company,
        solve=_read_pending_leave,
        milestones=(FINISHED,),
        expected_answer=_count_pending_leave,
        answer_kind="number",
        answer_units=("requests", "leave requests", "pending requests"),
    ),
    Template(
        name="hired_on",
        skills=("search", "answer"),
        oracle_steps=5,
        phrasings=(
            "On which day was {name} hired?",
            "Since which date does {name} work here?",
            "Give the date on which {name} was hired.",
        ),
        sample_params=sample_person,
        solve=_read_hired,
        milestones=(VISITED_DIRECTORY, VISITED_PERSON, FINISHED),
        expected_answer=_person_field("hired"),
        answer_kind="date",
    ),
    Template(
        name="salary_of",
        skills=("search", "answer"),
        oracle_steps=6,
        phrasings=(
            "What does {name} earn a year?",
            "Tell the yearly salary of {name}.",
            "How much is {name}'s salary?",
        ),
        sample_params=sample_person,
        solve=_read_salary,
        milestones=(VISITED_PERSON, ("pay", visited_page("people:pay:{person}")), FINISHED),
        expected_answer=_person_field("salary"),
        answer_kind="money",
    ),
    Template(
        name="group_size",
        skills=("filter", "answer"),
        oracle_steps=7,
        phrasings=(
            "How many people of {company} work in {city}, leaving out the department {department}?",
            "Count the people of {company} whose city is {city} and who are not in {department}.",
        ),
        sample_params=_sample_group,
        solve=_read_group_size,
        milestones=(VISITED_DIRECTORY, FINISHED),
        expected_answer=lambda world, p, before: str(
            _count_outside(before, p["department"], p["city"])
        ),
        answer_kind="number",
        answer_units=("people", "person", "employees"),
    ),
)
