"""Typed answers: whether an answer is the expected one, by value and not by spelling."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from typing import Literal

from envs.gyms.kit.locale import Locale
from envs.gyms.kit.numerals import parse_number

Kind = Literal["text", "money", "date", "number", "dollars", "time"]
_DOLLARS = re.compile(
    r"(?:(?:US)?\$|USD)?\s*(\d+|\d{1,3}(?:,\d{3})+)(\.\d{1,2})?\s*(?:\$|USD|dollars)?",
    re.IGNORECASE,
)
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?:\s*([ap])\.?m)?(?:\s*(?:h|o'clock))?", re.IGNORECASE)


def same_answer(
    answer: str | None, expected: str, kind: Kind, locale: Locale, units: Collection[str] = ()
) -> bool:
    """Whether both mean the same. `expected` as text: any words ("text"), cents ("money"), an ISO
    date, a number, a time such as "09:30", or an amount such as "$12.50" in any world ("dollars").
    `units`: what may stand after a number."""
    if answer is None:
        return False
    text = " ".join(answer.split()).strip().rstrip(".")
    if kind == "dollars":
        dollars = _parse_dollars(text)
        return dollars is not None and dollars == _parse_dollars(expected)
    if kind == "money":
        return locale.parse_money(text) == int(expected)
    if kind == "date":
        return locale.parse_date(text) == expected
    if kind == "time":
        return _parse_time(text) == _parse_time(expected)
    if kind == "number":
        return parse_number(text, locale, units) == Decimal(expected)
    return _fold(text) == _fold(expected)


def _fold(text: str) -> str:
    """Without quotes, case, repeated spaces and the sign before a number."""
    return re.sub(r"[\s\"'“”]+", " ", text).strip().removeprefix("#").casefold()


def _parse_dollars(text: str) -> Decimal | None:
    match = _DOLLARS.fullmatch(text.strip())
    return Decimal(match[1].replace(",", "") + (match[2] or "")) if match else None


def _parse_time(text: str) -> tuple[int, int] | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    if match[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[3].lower() == "p" else 0)
    return hour, minute
