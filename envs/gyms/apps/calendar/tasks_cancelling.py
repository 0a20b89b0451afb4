"""Tasks that cancel an event, one date of a series, or the series."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.data import Item
from envs.gyms.apps.calendar.sampling import (
    VISITED_AGENDA,
    VISITED_EVENT,
    calendar_state,
    is_organized_by_user,
    make_event_params,
    open_event,
    sample_event,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_single_event(world: Company, rng: random.Random, state: State) -> Params:
    is_own = is_organized_by_user(world)
    event = sample_event(world, rng, state, lambda e: is_own(e) and e["series"] is None)
    return make_event_params(world, event)


def _sample_occurrence(world: Company, rng: random.Random, state: State) -> Params:
    """A date of one of the user's series that has another date to come."""
    is_own = is_organized_by_user(world)
    events = calendar_state(state)["events"]
    coming = [event["series"] for event in events if event["date"] > world.today]

    def has_siblings(event: Item) -> bool:
        return bool(is_own(event) and event["series"] and coming.count(event["series"]) > 1)

    event = sample_event(world, rng, state, has_siblings)
    return make_event_params(world, event) | {"every": event["repeat"].lower()}


def _cancel(page: Page, p: Params, button: str) -> Script:
    page = yield from open_event(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, button)
    return None


def _make_cancel_calls(p: Params) -> list[Tool]:
    return [Tool(name="calendar.cancel_event", arguments={"event": p["event"]})]


def _apply_cancelled_event(world: Company, p: Params, state: State) -> None:
    rules.cancel_event(world, calendar_state(state), p["event"])


def _apply_cancelled_series(world: Company, p: Params, state: State) -> None:
    rules.cancel_event(world, calendar_state(state), p["event"], whole_series=True)


TEMPLATES = (
    Template(
        name="cancel_event",
        skills=("search", "menu", "dialog"),
        oracle_steps=9,
        phrasings=(
            "Cancel my event {title} on {date}.",
            "{title} on {date} does not take place. Cancel it.",
            "Call off {title}, planned for {date}.",
        ),
        sample_params=_sample_single_event,
        solve=lambda page, p: _cancel(page, p, "Cancel event"),
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        apply_expected=_apply_cancelled_event,
        tool_calls=_make_cancel_calls,
    ),
    Template(
        name="cancel_occurrence",
        skills=("search", "menu", "dialog"),
        oracle_steps=9,
        phrasings=(
            "Cancel {title} on {date}, but keep the other dates of the series.",
            "The {every} event {title} does not take place on {date}. Cancel that date only.",
            "Call off just the {date} occurrence of my {every} {title}.",
        ),
        sample_params=_sample_occurrence,
        solve=lambda page, p: _cancel(page, p, "Cancel this occurrence"),
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        apply_expected=_apply_cancelled_event,
        tool_calls=_make_cancel_calls,
    ),
    Template(
        name="cancel_series",
        skills=("search", "menu", "dialog"),
        oracle_steps=9,
        phrasings=(
            "Cancel the whole {every} series of {title} that has a date on {date}.",
            "My {every} {title} (one date is {date}) is over for good: cancel all of its dates.",
            "Call off every coming date of the {every} event {title} to which {date} belongs.",
        ),
        sample_params=_sample_occurrence,
        solve=lambda page, p: _cancel(page, p, "Cancel whole series"),
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        apply_expected=_apply_cancelled_series,
    ),
)
