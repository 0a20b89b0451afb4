"""What the portal allows with leave: balances, requests, decisions.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from datetime import date

from envs.gyms.apps.people.records import count_working_days, make_leave
from envs.gyms.apps.people.rules_fields import check_choice
from envs.gyms.apps.people.vocabulary import (
    APPROVED,
    CANCELLED,
    LEAVE_TYPES,
    PENDING,
    REJECTED,
    VACATION,
    Item,
)
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def format_days(halves: int) -> str:
    """Days as text, such as "2.5"."""
    return f"{halves // 2}.5" if halves % 2 else str(halves // 2)


def vacation_left(state: State, key: str) -> int:
    """Half days of vacation that are neither taken nor requested."""
    used = sum(
        leave["halves"]
        for leave in state["leave"]
        if leave["person"] == key
        and leave["type"] == VACATION
        and leave["status"] in (PENDING, APPROVED)
    )
    return int(2 * get_record(state, "staff", key)["allowance"] - used)


def request_leave(
    state: State, key: str, kind: str, first: str, last: str, half: bool = False
) -> Item:
    """Adds a pending request. `half`: the last day is a half day."""
    get_record(state, "staff", key)
    check_choice(kind, LEAVE_TYPES, "Type")
    if last < first:
        raise Refused("The last day must not be before the first")
    is_too_long = (date.fromisoformat(last) - date.fromisoformat(first)).days > 90
    halves = 0 if is_too_long else 2 * count_working_days(first, last) - half
    if halves <= 0:
        raise Refused("There must be a working day in it, and no more than 90 days")
    for other in state["leave"]:
        counts = other["person"] == key and other["status"] in (PENDING, APPROVED)
        if counts and other["from"] <= last and first <= other["to"]:
            raise Refused(f"It overlaps with {other['number']}")
    half_days_left = vacation_left(state, key)
    if kind == VACATION and halves > half_days_left:
        raise Refused(
            f"Only {format_days(half_days_left)} days of vacation are left",
            event=f"refused:leave:{key}:{first}:{last}",
        )
    leave = make_leave(len(state["leave"]), key, kind, first, last, halves)
    state["leave"].append(leave)
    return leave


def decide_leave(state: State, key: str, status: str, reason: str = "") -> None:
    """Approves a pending request, or rejects it for a reason."""
    leave = get_record(state, "leave", key)
    if leave["status"] != PENDING:
        raise Refused(f"{leave['number']} is {leave['status'].lower()} already")
    if status == REJECTED and not reason:
        raise Refused("Reason is required")
    leave |= {"status": status, "reason": reason}


def cancel_leave(state: State, key: str, today: str) -> None:
    """Only leave that has not begun."""
    leave = get_record(state, "leave", key)
    if leave["status"] not in (PENDING, APPROVED):
        raise Refused(f"{leave['number']} is {leave['status'].lower()} already")
    if leave["from"] <= today:
        raise Refused("It has begun: it cannot be cancelled any more")
    leave["status"] = CANCELLED
