"""Metrics of plain values: texts, numbers, lists."""

from __future__ import annotations

import pytest

from envs.osworld.outside.published.values import (
    check_include_exclude,
    exact_match,
    fuzzy_match,
    is_in_list,
    literal_match,
    match_in_list,
)


def test_plain_values() -> None:
    assert exact_match("1\n", {"expected": "1\n"}) == 1
    assert exact_match("1", {"expected": "1\n"}) == 0
    assert match_in_list("Bing", {"expected": ["Bing", "Yahoo"]}) == 1
    assert match_in_list("bing", {"expected": ["Bing", "Yahoo"]}) == 0
    assert is_in_list(["/a", "/b"], {"expected": "/a"}) == 1
    assert is_in_list([], {"expected": "/a"}) == 0
    assert check_include_exclude("all ok", {"include": ["ok"], "exclude": ["error"]}) == 1
    assert check_include_exclude("ok, error", {"include": ["ok"], "exclude": ["error"]}) == 0
    assert check_include_exclude(None, {"include": []}) == 0
    assert fuzzy_match("abcd", {"expected": "abce"}) == pytest.approx(0.75)


def test_literals() -> None:
    assert literal_match(372, "372") == 1
    assert literal_match(["A", 1], ["a", "1"], type="list", ignore_case=True) == 1
    assert literal_match(["A"], ["a", "1"], type="list", ignore_case=True) == 0
    assert literal_match("a", ["a"], type="list") == 0
    with pytest.raises(ValueError, match="type is 'set'"):
        literal_match("a", "a", type="set")
