"""Typed answers: whether an answer is the expected one, by value and not by spelling."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Literal

from envs.gyms.kit.locale import Locale

Kind = Literal["text", "money", "date", "number", "dollars"]
MAX_DIGITS = 20


def same_answer(answer: str | None, expected: str, kind: Kind, locale: Locale) -> bool:
    """Whether both mean the same. `expected` as text: any words ("text"), cents ("money"), an ISO
    date, a number, or an amount such as "$12.50" in any world ("dollars")."""
    if answer is None:
        return False
    if kind == "dollars":
        dollars = _parse_dollars(answer)
        return dollars is not None and dollars == _parse_dollars(expected)
    text = " ".join(answer.split()).strip().rstrip(".")
    if kind == "money":
        return locale.parse_money(text) == int(expected)
    if kind == "date":
        return locale.parse_date(text) == expected
    if kind == "number":
        return _parse_number(text) == Decimal(expected)
    return _fold(text) == _fold(expected)


def _fold(text: str) -> str:
    """Without quotes, case and repeated spaces."""
    return re.sub(r"[\s\"'“”]+", " ", text).strip().casefold()


def _parse_dollars(text: str) -> Decimal | None:
    parts = text.replace("USD", " ").replace(",", "").replace("$", " ").strip().rstrip(".").split()
    return _parse_number(parts[0]) if len(parts) == 1 else None


def _parse_number(text: str) -> Decimal | None:
    try:
        value = Decimal(text) if len(text) <= MAX_DIGITS else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() else None
