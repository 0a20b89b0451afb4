"""Which conditional format holds for which cell of a sheet.

Guarantees: only cells that are in the file are looked at. A condition that cannot be calculated
holds for none.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.osworld.format.sheet_cells import BLANK, value_at
from envs.osworld.outside.published.formula import Formula
from envs.osworld.outside.published.workbook import Sheet

Place = tuple[int, int]
Test = Callable[[Place, Any], bool]
_COMPARISONS: dict[str, Callable[[Any, list[Any]], bool]] = {
    "equal": lambda value, refs: value == refs[0],
    "notEqual": lambda value, refs: value != refs[0],
    "lessThan": lambda value, refs: value < refs[0],
    "lessThanOrEqual": lambda value, refs: value <= refs[0],
    "greaterThan": lambda value, refs: value > refs[0],
    "greaterThanOrEqual": lambda value, refs: value >= refs[0],
    "between": lambda value, refs: min(refs) <= value <= max(refs),
    "notBetween": lambda value, refs: not min(refs) <= value <= max(refs),
}


def applied_formats(sheet: Sheet) -> dict[Place, Any]:
    """For each cell the differential style of the first rule that holds."""
    rules = sorted(
        (
            (rule, part.cells.ranges)
            for part in sheet.formulas.conditional_formatting
            for rule in part.rules
        ),
        key=lambda entry: entry[0].priority,
    )
    formats: dict[Place, Any] = {}
    for rule, areas in rules:
        if rule.dxf is None:
            continue
        for place in _meets(sheet, rule, list(areas)):
            formats.setdefault(place, rule.dxf)
    return formats


def _meets(sheet: Sheet, rule: Any, areas: list[Any]) -> Iterator[Place]:
    places = [place for place in sheet.formulas._cells if any(_within(place, a) for a in areas)]
    values = {place: value_at(sheet.values, *place) for place in places}
    top = (min(area.min_row for area in areas), min(area.min_col for area in areas))
    test = _test(sheet, rule, top, values)
    for place, value in values.items():
        if test(place, value):
            yield place


def _within(place: Place, area: Any) -> bool:
    return bool(
        area.min_row <= place[0] <= area.max_row and area.min_col <= place[1] <= area.max_col
    )


def _test(sheet: Sheet, rule: Any, top: Place, values: Mapping[Place, Any]) -> Test:
    if rule.type == "top10":
        return _top(rule, _numbers(values))
    if rule.type == "aboveAverage":
        return _average(rule, _numbers(values))
    if rule.type in ("duplicateValues", "uniqueValues"):
        counts = Counter(repr(value) for value in values.values() if value not in BLANK)
        several = rule.type == "duplicateValues"
        return lambda _, value: value not in BLANK and (counts[repr(value)] > 1) == several
    try:
        formulas = [Formula(str(written), sheet, top) for written in rule.formula]
    except ValueError:
        formulas = []
    if not formulas:
        return lambda _place, _value: False
    if rule.type == "cellIs":
        return lambda place, value: (
            value not in BLANK
            and _compare(rule.operator, value, [formula.at(place) for formula in formulas])
        )
    return lambda place, _: _true(formulas[0].at(place))


def _compare(operator: str, value: Any, references: list[Any]) -> bool:
    try:
        return bool(_COMPARISONS[operator](value, references))
    except (TypeError, ValueError, IndexError, KeyError):
        return False


def _true(value: Any) -> bool:
    return isinstance(value, bool | int | float) and bool(value)


def _numbers(values: Mapping[Place, Any]) -> list[float]:
    return sorted(v for v in values.values() if _is_number(v))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _top(rule: Any, numbers: list[float]) -> Test:
    rank = rule.rank or 0
    count = max(1, len(numbers) * rank // 100) if rule.percent else rank
    chosen = numbers[:count] if rule.bottom else numbers[-count:]
    if not chosen or not count:
        return lambda _place, _value: False
    return lambda _, value: _is_number(value) and chosen[0] <= value <= chosen[-1]


def _average(rule: Any, numbers: list[float]) -> Test:
    mean = statistics.fmean(numbers) if numbers else 0.0
    upwards = rule.aboveAverage is not False
    return lambda _, value: (
        _is_number(value)
        and (
            (value > mean if upwards else value < mean)
            or (bool(rule.equalAverage) and value == mean)
        )
    )
