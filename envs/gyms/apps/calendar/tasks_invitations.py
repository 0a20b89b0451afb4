"""Tasks on invitations: answering one, declining those of a sick day."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.calendar import preferences, rules
from envs.gyms.apps.calendar.data import (
    ANSWERS,
    DECLINED,
    INVITED,
    Item,
    get_next_number,
    make_event,
)
from envs.gyms.apps.calendar.initial_state import sample_title
from envs.gyms.apps.calendar.sampling import (
    VISITED_EVENT,
    calendar_state,
    make_event_params,
    sample_event,
)
from envs.gyms.apps.calendar.times import sample_time_span, sample_work_day
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_INVITATIONS = ("invitations", visited_page("calendar:invitations"))
COMMENTS = (
    "I am on a trip that day",
    "See you there",
    "I may be late",
    "Happy to join by phone",
    "I have to check with my team first",
    "Thank you for asking me",
)


def _sample_invitation(world: Company, rng: random.Random, state: State) -> Params:
    invitation = sample_event(world, rng, state, lambda e: bool(e["status"] == INVITED))
    return make_event_params(world, invitation) | {
        "answer": rng.choice(tuple(ANSWERS)),
        "comment": rng.choice(COMMENTS),
    }


def _send_answer(page: Page, title: str, label: str, answer: str, comment: str) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Invitations")
    page = yield from navigation.search(page, title)
    page = yield from navigation.open_item(page, label)
    page = yield from navigation.open_link(page, "answer it", "Answer invitation")
    page = yield from navigation.fill_fields(page, {"Answer": answer, "Comment": comment})
    return (yield from navigation.click(page, "send it", "Send answer"))


def _answer_invitation(page: Page, p: Params) -> Script:
    yield from _send_answer(page, p["title"], p["label"], p["answer"], p["comment"])
    return None


def _make_answer_calls(p: Params) -> list[Tool]:
    search = {"text": p["title"], "day": p["day"]}
    answer = {"event": p["event"], "answer": p["answer"], "comment": p["comment"]}
    return [
        Tool(name="calendar.find_events", arguments=search),
        Tool(name="calendar.answer_invitation", arguments=answer),
    ]


def _sample_sick_day(world: Company) -> str:
    """The same day for the preparation and for the params."""
    return sample_work_day(world, world.rng("calendar sick"), 4, 30)


def _list_invitations(calendar: State, day: str) -> list[Item]:
    return [e for e in calendar["events"] if e["date"] == day and e["status"] == INVITED]


def _prepare_sick_day(world: Company, rng: random.Random, state: State) -> None:
    """Makes two invitations of one day, on which the user is not out of office."""
    calendar, day = calendar_state(state), _sample_sick_day(world)
    calendar["away"] = [a for a in calendar["away"] if not a["first"] <= day <= a["last"]]
    for event in _list_invitations(calendar, day):
        event["status"] = DECLINED
    used_titles = {event["title"] for event in calendar["events"]}
    others = [person.id for person in world.people if person.id != world.user.id]
    while len(_list_invitations(calendar, day)) < 2:
        title, (start, end) = sample_title(world, rng), sample_time_span(rng)
        if title in used_titles or " with " not in title:
            continue
        used_titles.add(title)
        number = get_next_number(calendar["events"])
        event = make_event(number, title, day, start, end, rng.choice(others))
        calendar["events"].append(event | {"people": [world.user.id], "status": INVITED})


def _sample_sick_day_params(world: Company, rng: random.Random, state: State) -> Params:
    day = _sample_sick_day(world)
    invitations = _list_invitations(calendar_state(state), day)
    first, second = (make_event_params(world, event) for event in invitations)
    return {
        "first": first,
        "second": second,
        "title_1": first["title"],
        "title_2": second["title"],
        "event_1": first["event"],
        "event_2": second["event"],
        "day": day,
        "date": first["date"],
        "comment": rng.choice((COMMENTS[0], "I am ill, sorry", "I cannot make it")),
        "reason": rng.choice(("Sick leave", "Business trip")),
    }


def _apply_sick_day(world: Company, p: Params, state: State) -> None:
    calendar = calendar_state(state)
    for key in (p["event_1"], p["event_2"]):
        rules.answer_invitation(world, calendar, key, "Decline", p["comment"])
    preferences.save_away(world, calendar, None, p["day"], p["day"], p["reason"])


def _report_sick_day(page: Page, p: Params) -> Script:
    for event in (p["first"], p["second"]):
        page = yield from _send_answer(
            page, event["title"], event["label"], "Decline", p["comment"]
        )
    page = yield from navigation.go_to(page, "Out of office")
    page = yield from navigation.open_link(page, "a new entry", "Enter days")
    fields = {"First day": p["date"], "Last day": p["date"], "Reason": p["reason"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save days")
    return None


TEMPLATES = (
    Template(
        name="answer_invitation",
        skills=("search", "form"),
        oracle_steps=9,
        phrasings=(
            'Answer the invitation {title} on {date}: {answer}, with the comment "{comment}".',
            'I was invited to {title} on {date}. My answer is {answer}; my comment: "{comment}".',
            'Send the answer {answer} and the comment "{comment}" to the invitation {title} of '
            "{date}.",
        ),
        sample_params=_sample_invitation,
        solve=_answer_invitation,
        milestones=(VISITED_INVITATIONS, VISITED_EVENT, FINISHED),
        apply_expected=lambda world, p, state: rules.answer_invitation(
            world, calendar_state(state), p["event"], p["answer"], p["comment"]
        ),
        tool_calls=_make_answer_calls,
    ),
    Template(
        name="sick_day",
        skills=("search", "form", "date", "multi-step", "recall"),
        oracle_steps=24,
        phrasings=(
            "I am away on {date}. Decline the invitations {title_1} and {title_2} of that day, "
            'each with the comment "{comment}", and enter that day as out of office ({reason}).',
            "Out of office on {date} for the reason {reason}: enter it. Also decline {title_1} "
            'and {title_2}, both on that day, saying "{comment}".',
            "For {date}: 1. decline {title_1}, 2. decline {title_2}, both with the comment "
            '"{comment}", 3. enter the day as out of office, reason {reason}.',
        ),
        sample_params=_sample_sick_day_params,
        solve=_report_sick_day,
        milestones=(
            ("first", visited_page("calendar:event:{event_1}")),
            ("second", visited_page("calendar:event:{event_2}")),
            ("away", visited_page("calendar:away")),
            FINISHED,
        ),
        apply_expected=_apply_sick_day,
        prepare_state=_prepare_sick_day,
    ),
)
