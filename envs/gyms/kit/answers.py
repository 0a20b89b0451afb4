"""Typed answers: whether what was said is what was asked for, by value and not by spelling."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Literal

from envs.gyms.kit.look import Look

Kind = Literal["text", "money", "date", "number"]


def same_answer(said: str | None, expected: str, kind: Kind, look: Look) -> bool:
    """`expected` is text, cents, an ISO date or a number, as text."""
    if said is None:
        return False
    words = " ".join(said.split()).strip().rstrip(".")
    if kind == "money":
        return look.read_money(words) == int(expected)
    if kind == "date":
        return look.read_date(words) == expected
    if kind == "number":
        return _number(words) == Decimal(expected)
    return _plain(words) == _plain(expected)


def _plain(text: str) -> str:
    return re.sub(r"[\s\"'“”]+", " ", text).strip().casefold()


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text) if len(text) <= 20 else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() else None
