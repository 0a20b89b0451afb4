"""Tasks on days out of office and on settings."""

from __future__ import annotations

import random

from envs.gyms.apps.calendar import preferences
from envs.gyms.apps.calendar.data import DECLINED, ENDS, REASONS, STARTS
from envs.gyms.apps.calendar.preferences import is_free_of_absences
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.apps.calendar.sampling import VISITED_AWAY, calendar_state
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_absence(world: Company, rng: random.Random, state: State) -> Params:
    start = rng.randint(2, 50)
    first, last = world.day(start), world.day(start + rng.randint(1, 6))
    if not is_free_of_absences(calendar_state(state), first, last):
        raise Resample("all days are out of office already")
    if not any(
        first <= event["date"] <= last
        and event["organizer"] != world.user.id
        and event["status"] != DECLINED
        for event in list_user_events(world, calendar_state(state))
    ):
        raise Resample("no invitation of these days can be declined")
    return {
        "first": first,
        "last": last,
        "reason": rng.choice(REASONS[1:]),
        "first_date": world.locale.format_date(first),
        "last_date": world.locale.format_date(last),
    }


def _enter_absence(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Out of office")
    page = yield from navigation.open_link(page, "a new entry", "Enter days")
    fields = {
        "First day": p["first_date"],
        "Last day": p["last_date"],
        "Reason": p["reason"],
        "Decline all invitations of these days": True,
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save days")
    return None


def _sample_extension(world: Company, rng: random.Random, state: State) -> Params:
    calendar = calendar_state(state)
    absence = rng.choice([a for a in calendar["away"] if a["first"] > world.today])
    days = [world.day(offset) for offset in range(3, 110)]
    candidates = [
        day
        for day in days
        if day > absence["last"]
        and is_free_of_absences(calendar, absence["first"], day, except_key=absence["id"])
    ]
    last, date = rng.choice(candidates[:9]), world.locale.format_date
    return {
        "away": absence["id"],
        "first": absence["first"],
        "last": last,
        "reason": absence["reason"],
        "first_date": date(absence["first"]),
        "old_date": date(absence["last"]),
        "last_date": date(last),
    }


def _extend_absence(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Out of office")
    page = yield from navigation.open_item(page, f"{p['first_date']} to {p['old_date']}")
    page = yield from navigation.fill_fields(page, {"Last day": p["last_date"]})
    yield from navigation.click(page, "save it", "Save days")
    return None


def _sample_working_hours(world: Company, rng: random.Random, state: State) -> Params:
    settings = calendar_state(state)["settings"]
    return {
        "starts": rng.choice([clock for clock in STARTS if clock != settings["starts"]]),
        "ends": rng.choice([clock for clock in ENDS if clock != settings["ends"]]),
        "week": settings["week"],
        "reminder": settings["reminder"],
        "company": world.name,
    }


def _set_working_hours(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Settings")
    fields = {"Work starts": p["starts"], "Work ends": p["ends"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save settings")
    return None


TEMPLATES = (
    Template(
        name="out_of_office",
        skills=("form", "date"),
        oracle_steps=9,
        phrasings=(
            "Enter {first_date} to {last_date} as out of office ({reason}) and have all "
            "invitations of these days declined.",
            "I am out of office from {first_date} to {last_date}, reason {reason}. Enter it so "
            "that all invitations of these days are declined.",
            "Out of office, {reason}: {first_date} until {last_date}. Enter these days, and let "
            "the calendar decline all invitations of these days.",
        ),
        sample_params=_sample_absence,
        solve=_enter_absence,
        milestones=(VISITED_AWAY, FINISHED),
        apply_expected=lambda world, p, state: preferences.save_away(
            world, calendar_state(state), None, p["first"], p["last"], p["reason"], declines=True
        ),
    ),
    Template(
        name="longer_away",
        skills=("date", "form"),
        oracle_steps=6,
        phrasings=(
            "My days out of office from {first_date} to {old_date} last until {last_date}. Change "
            "the entry.",
            "Extend the out-of-office days that begin on {first_date} to {last_date}.",
            "The entry out of office from {first_date} to {old_date} is too short: its last day "
            "is {last_date}.",
        ),
        sample_params=_sample_extension,
        solve=_extend_absence,
        milestones=(VISITED_AWAY, FINISHED),
        apply_expected=lambda world, p, state: preferences.save_away(
            world, calendar_state(state), p["away"], p["first"], p["last"], p["reason"]
        ),
    ),
    Template(
        name="working_hours",
        skills=("form",),
        oracle_steps=6,
        phrasings=(
            "Set my working hours at {company} to {starts} until {ends}.",
            "From now on I work at {company} from {starts} to {ends}. Change the settings.",
            "Change the settings of {company} Calendar: work starts at {starts} and ends at "
            "{ends}.",
        ),
        sample_params=_sample_working_hours,
        solve=_set_working_hours,
        milestones=(("settings", visited_page("calendar:settings")), FINISHED),
        apply_expected=lambda world, p, state: preferences.save_settings(
            calendar_state(state), p["starts"], p["ends"], p["week"], p["reminder"]
        ),
    ),
)
