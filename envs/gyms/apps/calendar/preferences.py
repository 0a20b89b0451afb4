"""The rules of days out of office and of settings. Each one raises Refused or NotFound."""

from __future__ import annotations

from envs.gyms.apps.calendar.data import (
    DECLINED,
    ENDS,
    FIRST_DAYS,
    REASONS,
    REMINDERS,
    STARTS,
    Item,
    get_next_number,
)
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def save_away(
    world: Company,
    state: State,
    key: str | None,
    first: str,
    last: str,
    reason: str,
    declines: bool = False,
) -> Item:
    """Enters days out of office, or changes the entry `key`.

    `declines`: also declines all invitations of these days."""
    if last < first:
        raise Refused("Last day must not be before First day")
    if first < world.today:
        raise Refused("First day must not be in the past")
    if reason not in REASONS:
        raise Refused("Choose one: Reason")
    if not is_free_of_absences(state, first, last, except_key=key):
        raise Refused("You are out of office on some of these days already")
    if key is None:
        absence: Item = {"id": f"a{get_next_number(state['away'])}"}
        state["away"].append(absence)
    else:
        absence = get_record(state, "away", key)
    absence |= {"first": first, "last": last, "reason": reason}
    for event in list_user_events(world, state) if declines else ():
        if first <= event["date"] <= last and event["organizer"] != world.user.id:
            event["status"] = DECLINED
    return absence


def is_free_of_absences(state: State, first: str, last: str, except_key: str | None = None) -> bool:
    """Whether no day from first to last is out of office, `except_key` left aside."""
    return not any(
        absence["first"] <= last and first <= absence["last"] and absence["id"] != except_key
        for absence in state["away"]
    )


def remove_away(state: State, key: str) -> None:
    """Removes an entry of days out of office."""
    state["away"].remove(get_record(state, "away", key))


def save_settings(state: State, starts: str, ends: str, week: str, reminder: str) -> None:
    """Sets working hours, first day of the week and reminder."""
    options_by_value = ((starts, STARTS), (ends, ENDS), (week, FIRST_DAYS), (reminder, REMINDERS))
    if any(value not in options for value, options in options_by_value):
        raise Refused("Choose one of the options")
    state["settings"] |= {"starts": starts, "ends": ends, "week": week, "reminder": reminder}
