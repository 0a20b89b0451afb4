"""What a sheet's pivot tables are made of.

Fields and items count by their names, so it does not matter in which order the program keeps them.
Properties: name, show_total, show_empty_row, show_empty_col, show_headers, location, filter (page
fields, and which items are shown), selection (the items alone), ordered (items in their order),
row_fields, col_fields, data_fields, data_fields_name (with the titles of data fields).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PROPERTIES = {
    "name": "name",
    "show_total": "visualTotals",
    "show_empty_row": "showEmptyRow",
    "show_empty_col": "showEmptyCol",
    "show_headers": "showHeaders",
}
OTHERS = {
    "location",
    "filter",
    "selection",
    "ordered",
    "row_fields",
    "col_fields",
    "data_fields",
    "data_fields_name",
}
VALUES = -2
"""Stands among row or column fields for the data fields, where there are several."""


def describe_pivots(sheet: Any, names: Sequence[str]) -> list[tuple[Any, dict[str, Any]]]:
    """Source and properties of each, in an order that does not depend on that in the file. Raises
    ValueError for a property that there is not."""
    unknown = set(names) - PROPERTIES.keys() - OTHERS
    if unknown:
        raise ValueError(f"pivot tables have no property {', '.join(sorted(unknown))}")
    pivots = [(_source(pivot), _describe(pivot, set(names))) for pivot in sheet._pivots]
    return sorted(pivots, key=repr)


def _source(pivot: Any) -> Any:
    """Sheet and rows; of the columns only those in use matter, which the fields name."""
    from openpyxl.utils.cell import range_boundaries

    source = pivot.cache.cacheSource.worksheetSource
    if source is None or not source.ref:
        return (pivot.cache.cacheSource.type, None if source is None else source.name)
    try:
        _, top, _, bottom = range_boundaries(source.ref)
    except ValueError:
        return source.sheet, source.ref
    return source.sheet, top, bottom


def _describe(pivot: Any, names: set[str]) -> dict[str, Any]:
    fields = [field.name for field in pivot.cache.cacheFields]

    def field_name(index: int) -> str:
        if index == VALUES:
            return "(values)"
        return str(fields[index]) if 0 <= index < len(fields) else f"field {index}"

    description = {name: getattr(pivot, PROPERTIES[name]) for name in names & PROPERTIES.keys()}
    if "location" in names:
        description["location"] = pivot.location.ref
    if "filter" in names:
        description["filter"] = sorted(field_name(field.fld) for field in pivot.pageFields or ())
    if names & {"filter", "selection"}:
        description["selection"] = _selection(pivot, field_name, "ordered" in names)
    for name, listed in (("row_fields", pivot.rowFields), ("col_fields", pivot.colFields)):
        if name in names:
            description[name] = [field_name(field.x) for field in listed or ()]
    if "data_fields" in names:
        titled = "data_fields_name" in names
        description["data_fields"] = [
            (field_name(field.fld), field.name if titled else "", field.subtotal, field.showDataAs)
            for field in pivot.dataFields or ()
        ]
    return description


def _selection(pivot: Any, field_name: Any, ordered: bool) -> dict[str, Any]:
    """Of each field that is laid out, its items and whether each is hidden."""
    selection: dict[str, Any] = {}
    for index, field in enumerate(pivot.pivotFields):
        shared = _shared_items(pivot.cache.cacheFields, index)
        items = [
            (bool(item.h), shared[item.x] if item.x < len(shared) else f"item {item.x}")
            for item in field.items or ()
            if item.x is not None
        ]
        if items:
            selection[field_name(index)] = items if ordered else sorted(items)
    return selection


def _shared_items(fields: Sequence[Any], index: int) -> list[str]:
    items = fields[index].sharedItems if index < len(fields) else None
    return [] if items is None else [str(getattr(item, "v", None)) for item in items._fields]
