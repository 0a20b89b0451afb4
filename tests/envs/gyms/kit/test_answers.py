"""Answers are compared by value and not by spelling."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.locale import Locale


@pytest.mark.parametrize(
    ("answer", "expected", "kind", "same"),
    [
        ("$12.00", "1200", "money", True),
        ("12", "1200", "money", True),
        ("12.01", "1200", "money", False),
        ("Mar 5, 2026", "2026-03-05", "date", True),
        ("2026-03-06", "2026-03-05", "date", False),
        ("7.0", "7", "number", True),
        ("seven", "7", "number", True),
        ("7 people", "7", "number", True),
        ("seven people.", "7", "number", True),
        ("7 weeks", "7", "number", False),
        ("7 or 8", "7", "number", False),
        ("eighty", "7", "number", False),
        ("#INV-1030", "INV-1030", "text", True),
        ("INV-1030 #", "INV-1030", "text", False),
        ("March 5th, 2026", "2026-03-05", "date", True),
        ("Thursday, March 5, 2026", "2026-03-05", "date", True),
        ("Friday, March 5, 2026", "2026-03-05", "date", False),
        ("USD 12.00", "1200", "money", True),
        ("12.00 EUR", "1200", "money", False),
        ("£12.00", "1200", "money", False),
        ("9:30", "09:30", "time", True),
        ("9:30 am", "09:30", "time", True),
        ("9:30 pm", "09:30", "time", False),
        ("09:45", "09:30", "time", False),
        ("half past", "09:30", "time", False),
        (" inv-1001. ", "INV-1001", "text", True),
        ("INV-1001 and INV-1002", "INV-1001", "text", False),
        (None, "INV-1001", "text", False),
        ("", "INV-1001", "text", False),
    ],
)
def test_answers_are_compared_by_value(
    answer: str | None, expected: str, kind: Any, same: bool
) -> None:
    assert same_answer(answer, expected, kind, Locale("us"), ("people",)) is same


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("$45.10", True),
        ("45.10", True),
        ("45.1", True),
        (" $45.10. ", True),
        ("45.10 USD", True),
        ("US$45.10", True),
        ("45.10 dollars", True),
        ("€45.10", False),
        ("$4,5.10", False),
        ("$1,045.10", False),
        ("45.11", False),
        ("about $45.10", False),
        ("$45.10 $45.10", False),
        ("", False),
        (None, False),
    ],
)
def test_dollars_are_compared_by_value(answer: str | None, same: bool) -> None:
    assert same_answer(answer, "$45.10", "dollars", Locale("us")) is same
    assert same_answer(answer, "$45.10", "dollars", Locale("eu")) is same
