"""Questions that compare: who was hired last or earlier, which claim is the largest.

Each has exactly one right answer: samples with a tie are taken again.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_expenses
from envs.gyms.apps.people.oracle_moves import (
    VISITED_DIRECTORY,
    VISITED_EXPENSES,
    VISITED_PERSON,
    first_list_entry,
    locale_of,
    open_person,
)
from envs.gyms.apps.people.sampling import people_part, person_params
from envs.gyms.apps.people.tasks_questions import sample_company
from envs.gyms.apps.people.vocabulary import SUBMITTED
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page

COMPARED_PEOPLE = 4


def _read_day(page: Page, name: str, p: Params) -> str:
    day = locale_of(p).parse_date(navigation.read_value(page, name))
    if day is None:
        raise OracleLost(f"{name} is not a date")
    return day


def _sample_department(world: Company, rng: random.Random, state: State) -> Params:
    department = rng.choice(DEPARTMENTS)
    days = sorted(p["hired"] for p in people_part(state)["staff"] if p["department"] == department)
    if days[-1] == days[-2]:
        raise Resample("two were hired last")
    return {"department": department, "company": world.name}


def _newest_name(world: Company, p: Params, before: State) -> str:
    members = [
        person for person in people_part(before)["staff"] if person["department"] == p["department"]
    ]
    return str(max(members, key=lambda person: person["hired"])["name"])


def _find_newest(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Directory")
    page = yield from navigation.filter_list(page, "Department", p["department"])
    page = yield from navigation.filter_list(page, "Sort", "Newest")
    return first_list_entry(page)


def _sample_colleagues(world: Company, rng: random.Random, state: State) -> Params:
    people = rng.sample(people_part(state)["staff"], COMPARED_PEOPLE)
    if len({person["hired"] for person in people}) < len(people):
        raise Resample("two were hired on the same day")
    names = [person["name"] for person in people]
    return person_params(world, people[0]) | {
        "people": [person["id"] for person in people],
        "names": names,
        "first": ", ".join(names[:-1]),
        "last": names[-1],
    }


def _earliest_name(world: Company, p: Params, before: State) -> str:
    people = [get_record(people_part(before), "staff", key) for key in p["people"]]
    return str(min(people, key=lambda person: person["hired"])["name"])


def _compare_hired(page: Page, p: Params) -> Script:
    days: dict[str, str] = {}
    for name in p["names"]:
        page = yield from open_person(page, name)
        days[name] = _read_day(page, "Hired", p)
    return min(days, key=lambda key: days[key])


def _largest_total(world: Company, p: Params, before: State) -> str:
    waiting = [report for report in people_part(before)["reports"] if report["status"] == SUBMITTED]
    return str(max(rules_expenses.report_total(report) for report in waiting))


def _read_largest(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Expenses")
    page = yield from navigation.filter_list(page, "Status", SUBMITTED)
    page = yield from navigation.filter_list(page, "Sort", "Largest")
    page = yield from navigation.open_item(page, first_list_entry(page))
    return navigation.read_value(page, "Total")


TEMPLATES = (
    Template(
        name="newest_colleague",
        skills=("filter", "sort", "answer"),
        oracle_steps=7,
        phrasings=(
            "Who in the department {department} of {company} was hired last? Answer with the name.",
            "Name the person who joined {department} at {company} most recently.",
        ),
        sample_params=_sample_department,
        solve=_find_newest,
        milestones=(VISITED_DIRECTORY, FINISHED),
        expected_answer=_newest_name,
    ),
    Template(
        name="hired_earlier",
        skills=("search", "compare", "recall", "answer"),
        oracle_steps=17,
        phrasings=(
            "Who was hired first, {first} or {last}? Answer with the name.",
            "{first} and {last}: name the one who has worked here longest.",
            "Which of these people was hired first: {last}, {first}?",
        ),
        sample_params=_sample_colleagues,
        solve=_compare_hired,
        milestones=(
            VISITED_PERSON,
            ("second", visited_page("people:person:{people[1]}")),
            ("third", visited_page("people:person:{people[2]}")),
            ("last", visited_page("people:person:{people[3]}")),
            FINISHED,
        ),
        expected_answer=_earliest_name,
    ),
    Template(
        name="largest_claim",
        skills=("filter", "sort", "answer"),
        oracle_steps=8,
        phrasings=(
            "What is the total of the largest expense report at {company} that is submitted, but "
            "not yet approved?",
            "Among the submitted expense reports of {company}, how much is the largest?",
        ),
        sample_params=sample_company,
        solve=_read_largest,
        milestones=(VISITED_EXPENSES, FINISHED),
        expected_answer=_largest_total,
        answer_kind="money",
    ),
)
