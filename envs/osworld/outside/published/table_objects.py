"""Rules of `compare_table` about what lies on a sheet: charts, sparklines, filters, validations,
pivot tables."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lxml import etree

from envs.osworld.outside.published.charts import describe_charts
from envs.osworld.outside.published.pivots import describe_pivots
from envs.osworld.outside.published.value_rules import fulfils
from envs.osworld.outside.published.workbook import Books, Sheet, bare

Rule = Mapping[str, Any]
X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
XM = "{http://schemas.microsoft.com/office/excel/2006/main}"
SHEETS = ("sheet_idx0", "sheet_idx1")


def same_charts(books: Books, rule: Rule) -> bool:
    """Both sheets have charts of the same ranges, with the same `chart_props`."""
    actual, expected = (
        describe_charts(books.sheet(rule[key]).formulas, rule.get("chart_props", ()))
        for key in SHEETS
    )
    return actual == expected


def same_pivots(books: Books, rule: Rule) -> bool:
    """Both sheets have pivot tables of the same ranges, with the same `pivot_props`."""
    actual, expected = (
        describe_pivots(books.sheet(rule[key]).formulas, rule.get("pivot_props", ()))
        for key in SHEETS
    )
    return actual == expected


def same_sparklines(books: Books, rule: Rule) -> bool:
    """Both sheets have sparklines of the same ranges in the same cells."""
    actual, expected = (_sparklines(books.sheet(rule[key])) for key in SHEETS)
    return actual == expected


def _sparklines(sheet: Sheet) -> Counter[tuple[str, str]]:
    with zipfile.ZipFile(sheet.book.path) as archive:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.fromstring(archive.read(sheet.part), parser)
    return Counter(
        (bare(line.findtext(f"{XM}sqref")), bare(line.findtext(f"{XM}f")))
        for line in root.iter(f"{X14}sparkline")
    )


def validations_fulfil(books: Books, rule: Rule) -> bool:
    """Each validation of `sheet_idx` fulfils all rules of one of `dv_props`, by its attributes
    (ranges, type, formula1, operator, ...), and each of `dv_props` is fulfilled."""
    sheet, expected = books.sheet(rule["sheet_idx"]).formulas, rule["dv_props"]
    validations = sheet.data_validations.dataValidation
    return all(
        any(_fulfils(validation, props) for props in expected) for validation in validations
    ) and all(any(_fulfils(validation, props) for validation in validations) for props in expected)


def _fulfils(validation: Any, props: Mapping[str, Rule]) -> bool:
    unknown = [name for name in props if not hasattr(validation, name)]
    if unknown:
        raise ValueError(f"validations have no property {', '.join(unknown)}")
    return all(fulfils(getattr(validation, name), rule) for name, rule in props.items())


def same_filter(books: Books, rule: Rule) -> bool:
    """The automatic filters show the same rows of the same range, in the same order."""
    actual, expected = (_filter(books.sheet(rule[key]).formulas.auto_filter) for key in SHEETS)
    return actual == expected


def _filter(auto_filter: Any) -> tuple[Any, ...]:
    columns = sorted((_column(column) for column in auto_filter.filterColumn or ()), key=repr)
    return bare(auto_filter.ref), columns, _sorting(auto_filter.sortState)


def _column(column: Any) -> tuple[Any, ...]:
    listed, custom = column.filters, column.customFilters
    return (
        int(column.colId),
        bool(column.hiddenButton),
        column.showButton is not False,
        None if listed is None else (bool(listed.blank), sorted(listed.filter or ())),
        None if custom is None else (bool(custom._and), sorted(map(_limit, custom.customFilter))),
    )


def _limit(custom: Any) -> tuple[str, str]:
    return custom.operator or "equal", str(custom.val)


def _sorting(state: Any) -> tuple[Any, ...] | None:
    if state is None:
        return None
    conditions = [
        (
            bare(condition.ref),
            bool(condition.descending),
            condition.sortBy or "value",
            condition.customList,
        )
        for condition in state.sortCondition or ()
    ]
    return bare(state.ref), bool(state.columnSort), bool(state.caseSensitive), conditions
