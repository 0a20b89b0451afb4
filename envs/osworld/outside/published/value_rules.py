"""Rules of task files about one value: {"method": ..., "ref": ...}.

Methods: eq, ne, le, lt, ge, gt; re with flags as in re.I.S; approx:THRESHOLD; range.XY with X and Y
"e" (end within) or "t"; str_list_eq and str_set_eq, of comma-separated texts; spreadsheet_range,
whose ref is the least and the most that ranges may cover.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from envs.osworld.outside.published import patterns

Rule = Mapping[str, Any]
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "le", "lt", "ge", "gt")
}


def fulfils(value: Any, rule: Rule) -> bool:
    """A value of a kind that the method cannot compare does not. Raises ValueError for a method
    that there is not."""
    test = _test(str(rule["method"]))
    try:
        return bool(test(value, rule["ref"]))
    except (TypeError, AttributeError):
        return False


def fulfils_compat(value: Any, rule: Rule) -> bool:
    """Raises TypeError or AttributeError for a value of another kind."""
    return bool(_test(str(rule["method"]))(value, rule["ref"]))


def _test(method: str) -> Callable[[Any, Any], Any]:
    if method in _COMPARISONS:
        return _COMPARISONS[method]
    if method == "spreadsheet_range":
        return _covers
    if method in ("str_list_eq", "str_set_eq"):
        kind = list if method == "str_list_eq" else set
        return lambda value, ref: kind(value.strip("\"'").split(",")) == kind(ref)
    if method.startswith("range."):
        return _between(method.removeprefix("range."))
    name, _, flags = method.partition(".")
    if name == "re":
        letters = flags.split(".") if flags else []
        return lambda value, ref: patterns.has_match(patterns.compile_pattern(ref, letters), value)
    name, _, threshold = method.partition(":")
    if name == "approx":
        return lambda value, ref: _near(value, ref, float(threshold))
    raise ValueError(f"there is no method {method!r} to compare values")


def _between(ends: str) -> Callable[[Any, Any], bool]:
    if len(ends) != 2 or not set(ends) <= {"e", "t"}:
        raise ValueError(f"there is no method 'range.{ends}' to compare values")
    above, below = (_COMPARISONS[f"l{end}"] for end in ends)
    return lambda value, ref: above(ref[0], value) and below(value, ref[1])


def _near(value: Any, ref: float, threshold: float) -> bool:
    try:
        return abs(float(value) - ref) <= threshold
    except (ValueError, TypeError):
        return False


def _covers(value: Any, ref: Any) -> bool:
    from openpyxl.worksheet.cell_range import MultiCellRange

    least, most = (MultiCellRange(text) for text in ref)
    return all(area in value for area in least) and all(area in most for area in value)
