"""Tasks that decide on leave: approve, reject, cancel."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.people import rules_leave
from envs.gyms.apps.people.sampling import choose, monday_from, people_part, person_params
from envs.gyms.apps.people.vocabulary import APPROVED, PENDING, REJECTED, VACATION, Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_LEAVE = ("leave list", visited_page("people:leave"))
VISITED_REQUEST = ("request", visited_page("people:leave:{leave}"))


def _leave_params(world: Company, state: State, leave: Item) -> Params:
    person = get_record(people_part(state), "staff", leave["person"])
    return person_params(world, person) | {
        "leave": leave["id"],
        "number": leave["number"],
        "type": leave["type"].lower(),
        "first": world.locale.format_date(leave["from"]),
        "last": world.locale.format_date(leave["to"]),
    }


def _sample_pending(world: Company, rng: random.Random, state: State) -> Params:
    pending = [leave for leave in people_part(state)["leave"] if leave["status"] == PENDING]
    return _leave_params(world, state, choose(rng, pending, "pending leave")) | {
        "reason": rng.choice(("Stock-taking week", "Too many are away", "Please pick another week"))
    }


def _sample_approved_ahead(world: Company, rng: random.Random, state: State) -> Params:
    approved = [
        leave
        for leave in people_part(state)["leave"]
        if leave["status"] == APPROVED and leave["from"] > world.today
    ]
    return _leave_params(world, state, choose(rng, approved, "approved leave ahead"))


def _open_leave(page: Page, p: Params, status: str, number: str) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Leave")
    page = yield from navigation.search(page, p["name"])
    page = yield from navigation.filter_list(page, "Status", status)
    return (yield from navigation.open_item(page, number))


def _approve_leave(page: Page, p: Params) -> Script:
    page = yield from _open_leave(page, p, PENDING, p["number"])
    yield from navigation.click(page, "it is the right one", "Approve leave")
    return None


def _reject_leave(page: Page, p: Params) -> Script:
    page = yield from _open_leave(page, p, PENDING, p["number"])
    page = yield from navigation.open_link(page, "this takes a reason", "Reject leave")
    page = yield from navigation.fill_fields(page, {"Reason": p["reason"]})
    yield from navigation.click(page, "reject it", "Reject request")
    return None


def _cancel_leave(page: Page, p: Params) -> Script:
    page = yield from _open_leave(page, p, APPROVED, p["number"])
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Cancel leave")
    return None


def _have_common_name(first: Item, second: Item) -> bool:
    return first is not second and bool(set(first["name"].split()) & set(second["name"].split()))


def _add_vacations_of_namesakes(world: Company, rng: random.Random, state: State) -> None:
    """Somebody requests vacation twice, and training; a namesake requests vacation once.

    Neither has pending vacation otherwise."""
    part = people_part(state)
    for person in rng.sample(part["staff"], len(part["staff"])):
        others = [colleague for colleague in part["staff"] if _have_common_name(person, colleague)]
        other = next(
            (
                colleague
                for colleague in others
                if rules_leave.vacation_left(part, colleague["id"]) >= 2
            ),
            None,
        )
        if (
            other is None
            or _list_pending_vacations(part, person["id"])
            or rules_leave.vacation_left(part, person["id"]) < 4
        ):
            continue
        requests = [(person, VACATION), (other, VACATION), (person, "Training"), (person, VACATION)]
        for weeks, (requester, kind) in enumerate(requests):
            day = monday_from(world, 135 + 14 * weeks)
            rules_leave.request_leave(part, requester["id"], kind, day, day)
        return


def _list_pending_vacations(part: State, person: str) -> list[Item]:
    return [
        leave
        for leave in part["leave"]
        if (leave["person"], leave["type"], leave["status"]) == (person, VACATION, PENDING)
    ]


def _sample_namesakes(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    pairs = [
        (person, other)
        for person in part["staff"]
        for other in part["staff"]
        if _have_common_name(person, other)
        and len(_list_pending_vacations(part, person["id"])) == 2
        and _list_pending_vacations(part, other["id"])
    ]
    person, other = choose(rng, pairs, "two namesakes who both ask for vacation")
    numbers = [leave["number"] for leave in _list_pending_vacations(part, person["id"])]
    return person_params(world, person) | {
        "department": person["department"],
        "other": other["name"],
        "numbers": numbers,
        "keys": [leave["id"] for leave in _list_pending_vacations(part, person["id"])],
    }


def _apply_all_approved(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules_leave.decide_leave(people_part(state), key, APPROVED)


def _approve_all(page: Page, p: Params) -> Script:
    for number in p["numbers"]:
        page = yield from navigation.go_to(page, "Leave")
        page = yield from navigation.search(page, p["name"])
        page = yield from navigation.filter_list(page, "Status", PENDING)
        page = yield from navigation.filter_list(page, "Type", VACATION)
        page = yield from navigation.open_item(page, number)
        page = yield from navigation.click(page, "it is one of them", "Approve leave")
    return None


def _approve_calls(p: Params) -> list[Tool]:
    return [
        Tool(name="people.approve_leave", arguments={"number": number})
        for number in p.get("numbers", [p.get("number")])
    ]


TEMPLATES = (
    Template(
        name="approve_leave",
        skills=("search", "filter"),
        oracle_steps=8,
        phrasings=(
            "Approve the {type} of {name} from {first} to {last}.",
            "{name} asks for {type} that begins on {first}. Approve it.",
            "Say yes to {name}'s pending request for {type} from {first} on.",
        ),
        sample_params=_sample_pending,
        solve=_approve_leave,
        milestones=(VISITED_LEAVE, VISITED_REQUEST, FINISHED),
        apply_expected=lambda world, p, state: rules_leave.decide_leave(
            people_part(state), p["leave"], APPROVED
        ),
        tool_calls=_approve_calls,
    ),
    Template(
        name="reject_leave",
        skills=("search", "filter", "form"),
        oracle_steps=10,
        phrasings=(
            "Reject the {type} of {name} from {first} to {last}. Reason: {reason}",
            'Turn down {name}\'s request for {type} from {first} on, with the reason "{reason}".',
        ),
        sample_params=_sample_pending,
        solve=_reject_leave,
        milestones=(VISITED_LEAVE, VISITED_REQUEST, FINISHED),
        apply_expected=lambda world, p, state: rules_leave.decide_leave(
            people_part(state), p["leave"], REJECTED, p["reason"]
        ),
    ),
    Template(
        name="cancel_leave",
        skills=("search", "filter", "menu", "dialog"),
        oracle_steps=10,
        phrasings=(
            "Cancel the approved {type} of {name} from {first} to {last}.",
            "{name} will work after all: cancel the {type} that begins on {first}.",
        ),
        sample_params=_sample_approved_ahead,
        solve=_cancel_leave,
        milestones=(VISITED_LEAVE, VISITED_REQUEST, FINISHED),
        apply_expected=lambda world, p, state: rules_leave.cancel_leave(
            people_part(state), p["leave"], world.today
        ),
    ),
    Template(
        name="approve_vacation",
        skills=("search", "filter", "multi-step"),
        oracle_steps=19,
        phrasings=(
            "Approve all pending vacation requests of {name} ({department}). Leave the other "
            "requests of {name}, and those of {other}, as they are.",
            "{name} in {department} may go on vacation: approve every vacation request of {name} "
            "that is still pending, nothing else, and nothing of {other}.",
        ),
        sample_params=_sample_namesakes,
        solve=_approve_all,
        milestones=(VISITED_LEAVE, FINISHED),
        apply_expected=_apply_all_approved,
        prepare_state=_add_vacations_of_namesakes,
        tool_calls=_approve_calls,
    ),
)
