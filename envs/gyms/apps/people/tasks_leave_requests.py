"""Tasks that request leave.

What is to be entered is allowed, except where the task is to find that it is not.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from envs.contract.actions import Tool
from envs.gyms.apps.people import rules_leave
from envs.gyms.apps.people.oracle_moves import VISITED_DIRECTORY, VISITED_PERSON, open_person
from envs.gyms.apps.people.sampling import monday_from, people_part, person_params, require_allowed
from envs.gyms.apps.people.vocabulary import LEAVE_TYPES, VACATION
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_request(world: Company, rng: random.Random, state: State) -> Params:
    person, kind = rng.choice(people_part(state)["staff"]), rng.choice(LEAVE_TYPES)
    start = rng.randint(3, 110)
    first, last = world.day(start), world.day(start + rng.randint(0, 6))
    half = rng.random() < 0.5
    if date.fromisoformat(first).weekday() > 4 or date.fromisoformat(last).weekday() > 4:
        raise Resample("it begins or ends on a weekend")
    require_allowed(
        state, lambda part: rules_leave.request_leave(part, person["id"], kind, first, last, half)
    )
    return person_params(world, person) | {
        "kind": kind,
        "type": kind.lower(),
        "from": first,
        "to": last,
        "half": half,
        "first": world.locale.format_date(first),
        "last": world.locale.format_date(last),
        "how": "a half day" if half else "a whole day",
    }


def _request_leave(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "a new request", "Request leave")
    fields = {
        "Type": p["kind"],
        "First day": p["first"],
        "Last day": p["last"],
        "The last day is a half day": p["half"],
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "ask for it", "Request leave")
    return None


def _request_calls(p: Params) -> list[Tool]:
    arguments = {
        "person": p["person"],
        "kind": p["kind"],
        "first": p["from"],
        "last": p["to"],
        "half": p["half"],
    }
    return [Tool(name="people.create_leave", arguments=arguments)]


def _sample_too_long(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(people_part(state)["staff"])
    days = rules_leave.vacation_left(people_part(state), person["id"]) // 2 + rng.randint(1, 4)
    first = monday_from(world, 125)
    last = date.fromisoformat(first) + timedelta(days=days // 5 * 7 + days % 5)
    return person_params(world, person) | {
        "days": days,
        "from": first,
        "to": last.isoformat(),
        "first": world.locale.format_date(first),
        "last": world.locale.format_date(last.isoformat()),
    }


def _try_request(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "a new request", "Request leave")
    fields = {"Type": VACATION, "First day": p["first"], "Last day": p["last"]}
    page = yield from navigation.fill_fields(page, fields)
    page = yield from navigation.click(page, "see whether it is allowed", "Request leave")
    if page.text_after("Only ") is not None:
        raise GiveUp("not enough vacation is left")
    return None


TEMPLATES = (
    Template(
        name="request_leave",
        skills=("search", "form", "date"),
        oracle_steps=11,
        phrasings=(
            "Request {type} for {name} from {first} to {last}. The last day is {how}.",
            "{name} needs {type}: first day {first}, last day {last} ({how}). Enter the request.",
        ),
        sample_params=_sample_request,
        solve=_request_leave,
        milestones=(VISITED_PERSON, FINISHED),
        apply_expected=lambda world, p, state: rules_leave.request_leave(
            people_part(state), p["person"], p["kind"], p["from"], p["to"], p["half"]
        ),
        tool_calls=_request_calls,
    ),
    Template(
        name="leave_too_long",
        skills=("search", "refuse"),
        oracle_steps=9,
        phrasings=(
            "Request vacation for {name} from {first} to {last}. If the portal refuses it, say "
            "that it cannot be done.",
            "{name} wants to be on vacation from {first} to {last}. Enter it, or say that the "
            "portal does not accept it.",
        ),
        sample_params=_sample_too_long,
        solve=_try_request,
        milestones=(VISITED_DIRECTORY, VISITED_PERSON, FINISHED),
        infeasible=True,
        required_events=("people:refused:leave:{person}:{from}:{to}",),
        tool_calls=lambda p: _request_calls(p | {"kind": VACATION, "half": False}),
    ),
)
