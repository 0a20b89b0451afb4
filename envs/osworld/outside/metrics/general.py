"""Metrics of answers and of what changed on the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def same_answer(result: str, rules: Mapping[str, Any]) -> float:
    """1 when the agent's answer is one of `expected`: numbers by value within `tolerance`, texts
    without regard to case, blanks and a final full stop."""
    expected = rules["expected"]
    accepted = expected if isinstance(expected, list) else [expected]
    return float(
        any(_same(result, candidate, float(rules.get("tolerance", 0))) for candidate in accepted)
    )


def _same(answer: str, expected: str | float, tolerance: float) -> bool:
    if isinstance(expected, int | float):
        number = re.fullmatch(r"[^\d+-]{0,3}([+-]?[\d,]*\.?\d+)\s*\D{0,8}", answer.strip())
        if number is None:
            return False
        return abs(float(number[1].replace(",", "")) - expected) <= tolerance
    return _plain(answer) == _plain(expected)


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def only_changed(result: Mapping[str, Sequence[str]], rules: Mapping[str, Any]) -> float:
    """1 when nothing in the home folder changed but what the task is about: `added`, `changed` and
    `removed` must be just those; `may` lists paths that do not matter."""
    may = set(rules.get("may", ()))
    return float(
        all(
            set(result[kind]) - may == set(rules.get(kind, ())) - may
            for kind in ("added", "changed", "removed")
        )
    )
