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
        ("seven", "7", "number", False),
        (" inv-1001. ", "INV-1001", "text", True),
        ("INV-1001 and INV-1002", "INV-1001", "text", False),
        (None, "INV-1001", "text", False),
        ("", "INV-1001", "text", False),
    ],
)
def test_answers_are_compared_by_value(
    answer: str | None, expected: str, kind: Any, same: bool
) -> None:
    assert same_answer(answer, expected, kind, Locale("us")) is same


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("$45.10", True),
        ("45.10", True),
        ("45.1", True),
        (" $45.10. ", True),
        ("45.10 USD", True),
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
