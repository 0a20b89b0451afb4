"""Answers, and what changed in the home folder."""

from __future__ import annotations

from typing import Any

import pytest

from envs.osworld.outside.metrics.general import only_changed, same_answer


@pytest.mark.parametrize(
    ("answer", "expected", "score"),
    [
        ("  The  Cat. ", "the cat", 1),
        ("a cat", "the cat", 0),
        ("$1,234.50", 1234.5, 1),
        ("1234.5 euros", 1234.5, 1),
        ("about 12 of 13", 12, 0),
        ("-3", -3, 1),
        ("two", ["2", "two"], 1),
        ("", "x", 0),
    ],
)
def test_answers(answer: str, expected: Any, score: float) -> None:
    assert same_answer(answer, {"expected": expected}) == score


def test_a_tolerance_is_that_of_numbers() -> None:
    assert same_answer("3.14", {"expected": 3.1, "tolerance": 0.05}) == 1
    assert same_answer("3.2", {"expected": 3.1, "tolerance": 0.05}) == 0


def test_nothing_else_may_change() -> None:
    changes = {"added": ["a"], "changed": [], "removed": ["b"]}
    assert only_changed(changes, {"added": ["a"], "removed": ["b"]}) == 1
    assert only_changed(changes, {"added": ["a"]}) == 0
    assert only_changed(changes, {"added": ["a", "c"], "removed": ["b"]}) == 0
    assert only_changed(changes, {"added": ["a", "c"], "may": ["b", "c"]}) == 1
