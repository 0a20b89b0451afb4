"""Charts, pivot tables, filters, rows and columns as OSWorld describes them.

Charts of the same ranges count as one, and so do all scatter charts; of an anchor's rows only the
last is looked at; pivot tables go by the numbers of fields and items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import dropwhile
from typing import Any

Rule = Mapping[str, Any]


def lines(dimensions: Any, rule: Rule) -> dict[Any, dict[str, Any]]:
    """Rows or columns that the file lists."""
    names = rule.get("props", ())
    return {
        key: {name: getattr(dimension, name) for name in names}
        for key, dimension in dimensions.items()
    }


def charts(sheet: Any, rule: Rule) -> dict[str, dict[str, Any]]:
    """Properties of each chart by the ranges of its series."""
    names = rule.get("chart_props", ())
    return {
        ";".join(f"{_range(series.val)},{_range(series.cat)}" for series in chart.series): {
            name: _CHART[name](chart) for name in names if name in _CHART
        }
        for chart in sheet._charts
    }


def _range(source: Any) -> str:
    for kind in ("numRef", "strRef"):
        reference = getattr(source, kind, None)
        if reference is not None:
            return str(reference.f)
    return ""


def _title(*way: str) -> Callable[[Any], str | None]:
    """Of a title's first paragraph the first run."""

    def read(chart: Any) -> str | None:
        with suppress(AttributeError, IndexError, TypeError):
            for name in way:
                chart = getattr(chart, name)
            return chart.title.tx.rich.p[0].r[0].t  # type: ignore[no-any-return]
        return None

    return read


def _anchor(chart: Any) -> list[Any]:
    first, last = chart.anchor._from, chart.anchor.to
    return [chart.anchor.editAs, first.col, last.row, last.col]


_CHART: dict[str, Callable[[Any], Any]] = {
    "title": _title(),
    "xtitle": _title("x_axis"),
    "ytitle": _title("y_axis"),
    "ztitle": _title("z_axis"),
    "legend": lambda chart: None if chart.legend is None else chart.legend.position,
    "anchor": _anchor,
    "width": lambda chart: chart.width,
    "height": lambda chart: chart.height,
    "type": lambda chart: chart.tagname,
    "direction": lambda chart: chart.barDir,
}


def pivots(sheet: Any, rule: Rule) -> dict[str, dict[str, Any]]:
    """Fields are counted from the first one that is laid out."""
    names = set(rule.get("pivot_props", ()))
    return dict(_pivot(pivot, names) for pivot in sheet._pivots)


def _pivot(pivot: Any, names: set[str]) -> tuple[str, dict[str, Any]]:
    items = [
        [(item.h, item.x) for item in field.items if item.x is not None]
        for field in pivot.pivotFields
    ]
    trimmed = list(dropwhile(lambda item: not item, items))
    before = len(items) - len(trimmed)
    used = list(dropwhile(lambda item: not item, reversed(trimmed)))[::-1]
    described: dict[str, Any] = {
        name: getattr(pivot, attribute) for name, attribute in _PIVOT.items() if name in names
    }
    if names & {"filter", "selection"}:
        described["selection"] = used if "ordered" in names else [set(item) for item in used]
    if "filter" in names:
        described["filter_fields"] = {field.fld for field in pivot.pageFields}
    for name, fields in (("col_fields", pivot.colFields), ("row_fields", pivot.rowFields)):
        if name in names:
            described[name] = [field.x - before for field in fields]
    if "data_fields" in names:
        titled = "data_fields_name" in names
        described["data_fields"] = [
            (item.fld - before, item.name if titled else "", item.subtotal, item.showDataAs)
            for item in pivot.dataFields
        ]
    return _pivot_source(pivot, before, len(trimmed) - len(used)), described


_PIVOT = {
    "name": "name",
    "show_total": "visualTotals",
    "show_empty_row": "showEmptyRow",
    "show_empty_col": "showEmptyCol",
    "show_headers": "showHeaders",
    "location": "location",
}


def _pivot_source(pivot: Any, before: int, after: int) -> str:
    """Raises AttributeError for a source that is no range."""
    from openpyxl.utils import coordinate_to_tuple

    cache = pivot.cache.cacheSource
    first, last = (coordinate_to_tuple(corner) for corner in cache.worksheetSource.ref.split(":"))
    corners = (first[0], first[1] + before), (last[0], last[1] - after)
    return f"{cache.type};{corners};{cache.worksheetSource.sheet}"


_SORT = ("columnSort", "caseSensitive", "sortMethod", "ref")
_CONDITION = ("descending", "sortBy", "ref", "customList", "dxfId", "iconSet", "iconId")


def filters(sheet: Any, rule: Rule) -> dict[str, Any]:
    """Range, columns and order of the automatic filter."""
    auto_filter, state = sheet.auto_filter, sheet.auto_filter.sortState
    described: dict[str, Any] = {
        "ref": auto_filter.ref,
        "columns": sorted(
            (_column(item) for item in auto_filter.filterColumn), key=lambda item: item["id"]
        ),
    }
    if state is not None:
        conditions = [_attributes(item, _CONDITION) for item in state.sortCondition]
        described["sort"] = (_attributes(state, _SORT), conditions)
    return described


def _column(column: Any) -> dict[str, Any]:
    described = {"id": column.colId, "buttons": (column.hiddenButton, column.showButton)}
    if column.filters is not None:
        described["filters"] = (column.filters.blank, set(column.filters.filter))
    if column.customFilters is not None:
        limits = {(limit.operator, limit.val) for limit in column.customFilters.customFilter}
        described["limits"] = (column.customFilters._and, limits)
    return described


def _attributes(element: Any, names: Sequence[str]) -> list[Any]:
    return [getattr(element, name) for name in names]
