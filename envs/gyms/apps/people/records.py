"""The portal's records: leave, reports, check lists, grants, and the numbers in them."""

from __future__ import annotations

import random
from datetime import date, timedelta

from envs.gyms.apps.people.vocabulary import DRAFT, ONBOARDING_TASKS, PENDING, Item


def account_number(digits: str) -> str:
    """An account with its two check digits, in groups of four."""
    check = 98 - int(f"{digits}331200") % 97
    plain = f"XC{check:02d}{digits}"
    return " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))


def sample_account(rng: random.Random) -> str:
    """A random account number."""
    return account_number(f"{rng.randrange(10**12):012d}")


def sample_phone(rng: random.Random) -> str:
    """A random phone number."""
    return f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}"


def count_working_days(first: str, last: str) -> int:
    """Days from Monday to Friday between two ISO dates, both included."""
    day, end = date.fromisoformat(first), date.fromisoformat(last)
    days = (day + timedelta(days=step) for step in range((end - day).days + 1))
    return sum(at.weekday() < 5 for at in days)


def make_leave(index: int, person: str, kind: str, first: str, last: str, halves: int) -> Item:
    """A pending leave request; `halves` counts half days."""
    return {
        "id": f"l{index + 1}",
        "number": f"LV-{1001 + index}",
        "person": person,
        "type": kind,
        "from": first,
        "to": last,
        "halves": halves,
        "status": PENDING,
        "reason": "",
    }


def make_report(index: int, person: str, purpose: str, day: str) -> Item:
    """An expense report without lines, as a draft."""
    return {
        "id": f"e{index + 1}",
        "number": f"EX-{2001 + index}",
        "person": person,
        "purpose": purpose,
        "date": day,
        "status": DRAFT,
        "reason": "",
        "lines": [],
    }


def make_report_line(report: Item, category: str, day: str, amount: int, receipt: bool) -> Item:
    """A line of a report, with the next free id; `amount` in cents."""
    number = 1 + max((int(line["id"].partition("-")[2]) for line in report["lines"]), default=0)
    return {
        "id": f"{report['id']}-{number}",
        "category": category,
        "date": day,
        "amount": amount,
        "receipt": receipt,
    }


def make_check_list(world_day: str, person: str) -> Item:
    """The check list of a newcomer, with all tasks open."""
    tasks = [
        {"id": f"{person}-t{index + 1}", "text": text, "done": False}
        for index, text in enumerate(ONBOARDING_TASKS)
    ]
    return {"id": f"b-{person}", "person": person, "due": world_day, "tasks": tasks}


def make_grant(person: str, role: str) -> Item:
    """A role that a person has."""
    return {"id": f"{person}:{role}", "person": person, "role": role}
