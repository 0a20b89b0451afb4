"""Metrics of plain values: texts, numbers, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz


def exact_match(result: Any, rules: Mapping[str, Any]) -> float:
    """1 when the result is `expected`."""
    return float(result == rules["expected"])


def match_in_list(result: Any, rules: Mapping[str, Sequence[Any]]) -> float:
    """1 when the result is one of `expected`."""
    return float(result in rules["expected"])


def is_in_list(result: Sequence[Any], rules: Mapping[str, Any]) -> float:
    """1 when `expected` is among the results (or, of a text, within it)."""
    return float(rules["expected"] in result)


def check_include_exclude(result: Any, rules: Mapping[str, Sequence[str]]) -> float:
    """1 when the text (or list) holds every `include` and no `exclude`."""
    if result is None:
        return 0.0
    return float(
        all(word in result for word in rules.get("include", ()))
        and not any(word in result for word in rules.get("exclude", ()))
    )


def fuzzy_match(result: str, rules: Mapping[str, str]) -> float:
    """How alike the result and `expected` are, by edits."""
    return fuzz.ratio(result, rules["expected"]) / 100


def literal_match(
    result: Any, expected: Any, type: str = "str", ignore_case: bool = False
) -> float:
    """1 when both read the same: as one text, or (`type` "list") each item as text."""
    if type == "str":
        return float(_read(result, ignore_case) == _read(expected, ignore_case))
    if type != "list":
        raise ValueError(f"type is {type!r}, not 'str' or 'list'")
    if not isinstance(result, list | tuple) or not isinstance(expected, list | tuple):
        return 0.0
    actual, target = ([_read(item, ignore_case) for item in side] for side in (result, expected))
    return float(actual == target)


def _read(value: Any, ignore_case: bool) -> str:
    return str(value).lower() if ignore_case else str(value)
