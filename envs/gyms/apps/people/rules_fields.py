"""What the portal accepts in a field. Each check returns the value to keep, or raises Refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from envs.gyms.apps.people.records import account_number
from envs.gyms.apps.people.vocabulary import BANDS
from envs.gyms.server.gym import Refused, State

Values = Mapping[str, Any]
"""The fields of a form, by name."""


def check_choice(value: str, options: Any, label: str) -> str:
    """One of the options."""
    if value not in options:
        raise Refused(f"Choose one: {label}")
    return value


def check_pattern(pattern: str, text: str, message: str) -> str:
    """The text, if all of it fits the pattern; else Refused with the message."""
    if not re.fullmatch(pattern, text):
        raise Refused(message)
    return text


def check_email(state: State, text: str, own_key: str | None = None) -> str:
    """An address that nobody else has; `own_key` is the person whose address it may be."""
    check_pattern(
        r"[\w.+-]+@[\w-]+(\.[\w-]+)+", text, "E-mail must be an address such as a.b@firm.example"
    )
    if any(p["email"] == text.lower() and p["id"] != own_key for p in state["staff"]):
        raise Refused("Somebody else has this e-mail address")
    return text.lower()


def check_phone(text: str, label: str = "Phone") -> str:
    """An international number."""
    return check_pattern(
        r"\+\d[\d ().-]{6,18}\d", text, f"{label} must be a number such as +1 555 200 3000"
    )


def check_account(text: str) -> str:
    """In groups of four. The check digits find typing errors."""
    plain = text.replace(" ", "").upper()
    example = account_number("123456789012")
    check_pattern(r"XC\d{14}", plain, f"Account must be XC and 14 digits, such as {example}")
    if account_number(plain[4:]).replace(" ", "") != plain:
        raise Refused("This account does not exist: its check digits are wrong")
    return account_number(plain[4:])


def check_salary(salary: int, band: str) -> int:
    """A yearly salary in cents, within its band."""
    low, high = BANDS[check_choice(band, BANDS, "Band")]
    if not low <= salary <= high:
        raise Refused(f"The salary is outside band {band}")
    return salary
