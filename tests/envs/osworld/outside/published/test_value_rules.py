"""Rules about one value."""

from __future__ import annotations

from typing import Any

import pytest

from envs.osworld.outside.published.value_rules import fulfils


@pytest.mark.parametrize(
    ("value", "method", "ref", "expected"),
    [
        (3, "eq", 3, True), (3, "gt", 3, False), ("dark", "re", "^d", True),
        ("Dark", "re.I", "^d", True), (3, "re", "3", False), (None, "lt", 3, False),
        ("2.05", "approx:0.1", 2, True), ("x", "approx:0.1", 2, False),
        (2, "range.te", [2, 3], False),
        (3, "range.te", [2, 3], True), ('"a,b"', "str_set_eq", ["b", "a"], True),
        (None, "str_list_eq", ["a"], False),
    ],
)  # fmt: skip
def test_rules_of_a_value(value: Any, method: str, ref: Any, expected: bool) -> None:
    assert fulfils(value, {"method": method, "ref": ref}) is expected


@pytest.mark.parametrize("method", ["like", "re.Q", "range.xy", "approx:much"])
def test_a_method_that_there_is_not(method: str) -> None:
    with pytest.raises(ValueError, match=r"no|could not"):
        fulfils("3", {"method": method, "ref": "3"})
