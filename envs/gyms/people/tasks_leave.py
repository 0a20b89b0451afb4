"""Tasks on leave: decide on requests, cancel leave, ask for it.

What is to be entered holds to the portal's rules, except where the task is to find that it cannot.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from envs.actions import Tool
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import APPROVED, LEAVE_TYPES, PENDING, REJECTED, VACATION, Item
from envs.gyms.people.drawing import DIRECTORY, PERSON, allowed, part_of, plain, some, to_person
from envs.gyms.view import Page

LEAVE = ("leave list", saw("people:leave"))
REQUEST = ("request", saw("people:leave:{leave}"))


def _leave_params(world: Company, state: State, leave: Item) -> Params:
    person = one(part_of(state), "staff", leave["person"])
    return plain(world, person) | {
        "leave": leave["id"], "number": leave["number"], "type": leave["type"].lower(),
        "first": world.look.date(leave["from"]), "last": world.look.date(leave["to"]),
    }  # fmt: skip


def _draw_pending(world: Company, rng: random.Random, state: State) -> Params:
    fits = [x for x in part_of(state)["leave"] if x["status"] == PENDING]
    return _leave_params(world, state, some(rng, fits, "pending leave")) | {
        "reason": rng.choice(("Stock-taking week", "Too many are away", "Please pick another week"))
    }


def _draw_ahead(world: Company, rng: random.Random, state: State) -> Params:
    fits = [x for x in part_of(state)["leave"]
            if x["status"] == APPROVED and x["from"] > world.today]  # fmt: skip
    return _leave_params(world, state, some(rng, fits, "approved leave ahead"))


def _to_leave(page: Page, p: Params, status: str, number: str) -> ways.Way:
    page = yield from ways.go(page, "Leave")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.narrow(page, "Status", status)
    return (yield from ways.open_item(page, number))


def _approve(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, PENDING, p["number"])
    yield from ways.press(page, "it is the right one", "Approve leave")
    return None


def _reject(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, PENDING, p["number"])
    page = yield from ways.open_link(page, "this takes a reason", "Reject leave")
    page = yield from ways.fill(page, {"Reason": p["reason"]})
    yield from ways.press(page, "reject it", "Reject request")
    return None


def _cancel(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, APPROVED, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Cancel leave")
    return None


def _monday(world: Company, offset: int) -> str:
    """The first one so many days from today or later."""
    day = date.fromisoformat(world.day(offset))
    return (day + timedelta(days=-day.weekday() % 7)).isoformat()


def _near(first: Item, second: Item) -> bool:
    return first is not second and bool(set(first["name"].split()) & set(second["name"].split()))


def _two_and_a_namesake(world: Company, rng: random.Random, state: State) -> None:
    """Somebody without pending vacation asks for two, and for training; a namesake for one."""
    part = part_of(state)
    for person in rng.sample(part["staff"], len(part["staff"])):
        others = [x for x in part["staff"] if _near(person, x)]
        other = next((x for x in others if rules.left_of(part, x["id"]) >= 2), None)
        if other is None or _vacations(part, person["id"]) or rules.left_of(part, person["id"]) < 4:
            continue
        asked = [(person, VACATION), (other, VACATION), (person, "Training"), (person, VACATION)]
        for weeks, (asker, kind) in enumerate(asked):
            day = _monday(world, 135 + 14 * weeks)
            rules.request_leave(part, asker["id"], kind, day, day)
        return


def _vacations(part: State, person: str) -> list[Item]:
    return [x for x in part["leave"]
            if (x["person"], x["type"], x["status"]) == (person, VACATION, PENDING)]  # fmt: skip


def _draw_namesakes(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = [
        (person, other)
        for person in part["staff"]
        for other in part["staff"]
        if _near(person, other)
        and len(_vacations(part, person["id"])) == 2
        and _vacations(part, other["id"])
    ]
    person, other = some(rng, fits, "two namesakes who both ask for vacation")
    numbers = [leave["number"] for leave in _vacations(part, person["id"])]
    return plain(world, person) | {
        "department": person["department"], "other": other["name"], "numbers": numbers,
        "keys": [leave["id"] for leave in _vacations(part, person["id"])],
    }  # fmt: skip


def _expect_all_approved(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules.decide_leave(part_of(state), key, APPROVED)


def _approve_all(page: Page, p: Params) -> Script:
    for number in p["numbers"]:
        page = yield from ways.go(page, "Leave")
        page = yield from ways.search(page, p["name"])
        page = yield from ways.narrow(page, "Status", PENDING)
        page = yield from ways.narrow(page, "Type", VACATION)
        page = yield from ways.open_item(page, number)
        page = yield from ways.press(page, "it is one of them", "Approve leave")
    return None


def _approve_calls(p: Params) -> list[Tool]:
    return [Tool(name="people.approve_leave", arguments={"number": number})
            for number in p.get("numbers", [p.get("number")])]  # fmt: skip


def _draw_request(world: Company, rng: random.Random, state: State) -> Params:
    person, kind = rng.choice(part_of(state)["staff"]), rng.choice(LEAVE_TYPES)
    start = rng.randint(3, 110)
    first, last = world.day(start), world.day(start + rng.randint(0, 6))
    half = rng.random() < 0.5
    if date.fromisoformat(first).weekday() > 4 or date.fromisoformat(last).weekday() > 4:
        raise Redraw("it begins or ends on a weekend")
    allowed(state, lambda part: rules.request_leave(part, person["id"], kind, first, last, half))
    return plain(world, person) | {
        "kind": kind, "type": kind.lower(), "from": first, "to": last, "half": half,
        "first": world.look.date(first), "last": world.look.date(last),
        "how": "a half day" if half else "a whole day",
    }  # fmt: skip


def _ask_leave(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    page = yield from ways.open_link(page, "a new request", "Request leave")
    fields = {"Type": p["kind"], "First day": p["first"], "Last day": p["last"],
              "The last day is a half day": p["half"]}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "ask for it", "Request leave")
    return None


def _ask_calls(p: Params) -> list[Tool]:
    arguments = {"person": p["person"], "kind": p["kind"], "first": p["from"], "last": p["to"],
                 "half": p["half"]}  # fmt: skip
    return [Tool(name="people.create_leave", arguments=arguments)]


def _draw_too_long(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(part_of(state)["staff"])
    days = rules.left_of(part_of(state), person["id"]) // 2 + rng.randint(1, 4)
    first = _monday(world, 125)
    last = date.fromisoformat(first) + timedelta(days=days // 5 * 7 + days % 5)
    return plain(world, person) | {
        "days": days, "first": world.look.date(first), "last": world.look.date(last.isoformat()),
    }  # fmt: skip


def _look_at_balance(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    left = ways.value_of(page, "Vacation left").split()[0]
    if float(left) < p["days"]:
        raise GiveUp(f"only {left} days are left")
    return None


TEMPLATES = (
    Template(
        "approve_leave", ("search", "filter"), 8,
        ("Approve the {type} of {name} from {first} to {last}.",
         "{name} asks for {type} that begins on {first}. Approve it.",
         "Say yes to {name}'s pending request for {type} from {first} on."),
        _draw_pending, _approve, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.decide_leave(part_of(state), p["leave"], APPROVED),
        calls=_approve_calls,
    ),
    Template(
        "reject_leave", ("search", "filter", "form"), 10,
        ("Reject the {type} of {name} from {first} to {last}. Reason: {reason}",
         'Turn down {name}\'s request for {type} from {first} on, with the reason "{reason}".'),
        _draw_pending, _reject, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.decide_leave(
            part_of(state), p["leave"], REJECTED, p["reason"]
        ),
    ),
    Template(
        "cancel_leave", ("search", "filter", "menu", "dialog"), 10,
        ("Cancel the approved {type} of {name} from {first} to {last}.",
         "{name} will work after all: cancel the {type} that begins on {first}."),
        _draw_ahead, _cancel, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.cancel_leave(part_of(state), p["leave"], world.today),
    ),
    Template(
        "approve_vacation", ("search", "filter", "multi-step"), 19,
        ("Approve all pending vacation requests of {name} ({department}). Leave the other requests "
         "of {name}, and those of {other}, as they are.",
         "{name} in {department} may go on vacation: approve every vacation request of {name} that "
         "is still pending, nothing else, and nothing of {other}."),
        _draw_namesakes, _approve_all, (LEAVE, FINISHED), _expect_all_approved,
        _two_and_a_namesake, calls=_approve_calls,
    ),
    Template(
        "request_leave", ("search", "form", "date"), 11,
        ("Request {type} for {name} from {first} to {last}. The last day is {how}.",
         "{name} needs {type}: first day {first}, last day {last} ({how}). Enter the request."),
        _draw_request, _ask_leave, (PERSON, FINISHED),
        lambda world, p, state: rules.request_leave(
            part_of(state), p["person"], p["kind"], p["from"], p["to"], p["half"]
        ),
        calls=_ask_calls,
    ),
    Template(
        "leave_too_long", ("search", "refuse"), 5,
        ("Request vacation for {name} from {first} to {last}. If not enough vacation is left for "
         "that, say that it cannot be done.",
         "{name} wants to be on vacation from {first} to {last}. Enter it if the days that are "
         "left suffice."),
        _draw_too_long, _look_at_balance, (DIRECTORY, PERSON, FINISHED), infeasible=True,
        must_see=("people:person:{person}",),
    ),
)  # fmt: skip
