"""Descriptions are equal but for rounded lengths."""

from __future__ import annotations

from typing import Any

import pytest

from envs.osworld.outside.metrics.approximate import TOLERANCE, approximately_equal


@pytest.mark.parametrize(
    ("actual", "expected", "equal"),
    [
        (1.0, 1.0 + TOLERANCE / 2, True),
        (1.0, 1.0 + 2 * TOLERANCE, False),
        (1, 1.01, True),
        (1, 2, False),
        (True, 1, False),
        (1.0, True, False),
        (1.0, "1.0", False),
        ({"a": [1.0, "x"]}, {"a": [1.01, "x"]}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1, 2, 3], False),
        (None, None, True),
    ],
)
def test_equality(actual: Any, expected: Any, equal: bool) -> None:
    assert approximately_equal(actual, expected) is equal
    assert approximately_equal(expected, actual) is equal
