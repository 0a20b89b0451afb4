"""Tools on tables of data: sorting, filtering, duplicates, splitting."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import (
    area_of,
    consecutive_runs,
    position_of_column,
    range_at,
    require_changeable,
    table_of,
    target_range,
    to_json_value,
)
from envs.apps.office.calc.addresses import Area
from envs.apps.office.calc.conditions import OPERATORS
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import constant, enum, property_value, sequence, struct

FILTER_OPERATORS = OPERATORS | {
    "contains": "CONTAINS",
    "empty": "EQUAL",
    "not_empty": "NOT_EQUAL",
}
"""Not UNO's EMPTY: in LibreOffice 7.4 it keeps the cells with content."""

Test = Literal["=", "<>", ">", ">=", "<", "<=", "contains", "empty", "not_empty"]

tools = ToolGroup("calc")


@tools.tool("calc.sort")
def sort(
    doc: Any,
    by: list[str],
    range: str | None = None,
    descending: list[str] = [],  # noqa: B006
    header: bool = True,
    match_case: bool = False,
) -> str:
    """Sorts rows by up to several columns and gives the range sorted.

    by: columns in order of importance, by letter or by text of the header row. range: with the
    header row; all of the active sheet if left out. descending: those of `by` that go downwards.
    header: whether the first row is one and stays first.
    """
    unknown = [name for name in descending if name not in by]
    if not by or unknown:
        raise OfficeError("bad_value", f"by is {by}; not in it but in descending: {unknown}")
    cells = require_changeable(table_of(doc, range))
    fields = tuple(
        struct(
            "table.TableSortField",
            Field=position_of_column(cells, name, header),
            IsAscending=name not in descending,
            IsCaseSensitive=match_case,
        )
        for name in by
    )
    cells.sort(
        (
            property_value("SortFields", sequence("table.TableSortField", fields)),
            property_value("ContainsHeader", header),
            property_value("IsSortColumns", False),
        )
    )
    return str(area_of(cells))


@tools.tool("calc.filter")
def filter(
    doc: Any,
    column: str,
    operator: Test,
    value: str | float | None = None,
    range: str | None = None,
) -> int:
    """Hides the rows of a table that do not pass a test; gives how many stay.

    column: its letter or header text. value: a number or text (upper and lower case alike).
    range: with the header row; all of the active sheet if left out. Filters of earlier calls are
    replaced; calc.clear_filter shows all.
    """
    cells = require_changeable(table_of(doc, range))
    field = position_of_column(cells, column, header=True)
    if (value is None) == (operator not in ("empty", "not_empty")):
        raise OfficeError("bad_value", "every operator but empty and not_empty needs a value")
    filter_field = struct(
        "sheet.TableFilterField2",
        Field=field,
        Operator=constant(f"sheet.FilterOperator2.{FILTER_OPERATORS[operator]}"),
        IsNumeric=isinstance(value, int | float),
        NumericValue=float(value) if isinstance(value, int | float) else 0.0,
        StringValue=value if isinstance(value, str) else "",
    )
    descriptor = cells.createFilterDescriptor(True)
    descriptor.ContainsHeader = True
    descriptor.setFilterFields2((filter_field,))
    cells.filter(descriptor)
    area = area_of(cells)
    return _visible_rows(cells.Spreadsheet, area)


@tools.tool("calc.clear_filter")
def clear_filter(doc: Any, range: str | None = None) -> None:
    """Shows the rows that a filter hid.

    range: as it was filtered; all of the active sheet if left out.
    """
    cells = require_changeable(table_of(doc, range))
    cells.filter(cells.createFilterDescriptor(True))


@tools.tool("calc.autofilter")
def autofilter(doc: Any, range: str | None = None, on: bool = True) -> None:
    """Puts filter buttons on a table's header row, or takes them away.

    range: with the header row; all of the active sheet if left out.
    """
    place = require_changeable(table_of(doc, range)).RangeAddress
    unnamed = doc.getPropertyValue("UnnamedDatabaseRanges")
    unnamed.setByTable(place)
    unnamed.getByTable(place.Sheet).AutoFilter = on


@tools.tool("calc.remove_duplicates", timeout_s=20)
def remove_duplicates(
    doc: Any,
    range: str | None = None,
    columns: list[str] = [],  # noqa: B006
    header: bool = True,
) -> int:
    """Deletes all but the first of equal rows of a table; gives how many rows went.

    range: with the header row; all of the active sheet if left out. columns: those that are
    compared, by letter or header text; all if left out.
    """
    cells = require_changeable(table_of(doc, range))
    compared = [position_of_column(cells, name, header) for name in columns]
    rows = cells.getDataArray()
    first_rows = set(_first_of_equals(rows, compared, header))
    area = area_of(cells)
    repeated_rows = [area.top + y for y, _ in enumerate(rows) if y not in first_rows]
    sheet = cells.Spreadsheet
    for first, last in reversed(consecutive_runs(repeated_rows)):
        lines = range_at(sheet, Area(area.left, first, area.right, last))
        sheet.removeRange(lines.RangeAddress, enum("sheet.CellDeleteMode", "UP"))
    if repeated_rows:
        freed = Area(area.left, area.bottom - len(repeated_rows) + 1, area.right, area.bottom)
        sheet.insertCells(range_at(sheet, freed).RangeAddress, enum("sheet.CellInsertMode", "DOWN"))
    return len(repeated_rows)


@tools.tool("calc.split_column")
def split_column(doc: Any, range: str, separator: str, to: str | None = None) -> str:
    """Splits the text of one column at a separator into columns; gives the range written.

    range: such as A2:A20. to: the upper left cell of the result; over the column itself if left
    out, and then over what is right of it. Spaces around parts go; numbers become numbers.
    """
    cells = table_of(doc, range)
    area = area_of(cells)
    if area.width > 1 or not separator:
        raise OfficeError("bad_value", "range must be one column and separator not empty")
    texts = [str(to_json_value(row[0]) or "") for row in cells.getDataArray()]
    parts = [[part.strip() for part in text.split(separator)] for text in texts]
    width = max(len(line) for line in parts)
    rows = tuple(
        tuple(_number_or_text(part) for part in line) + ("",) * (width - len(line))
        for line in parts
    )
    place = to or str(Area(area.left, area.top, area.left, area.top, area.sheet))
    written = target_range(doc, place, width, len(rows))
    written.setDataArray(rows)
    return str(area_of(written))


def _number_or_text(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _visible_rows(sheet: Any, area: Area) -> int:
    """Number of visible rows below the header."""
    data = range_at(
        sheet, Area(area.left, area.top + 1, area.right, max(area.bottom, area.top + 1))
    )
    visible = data.queryVisibleCells().RangeAddresses
    return sum(at.EndRow - at.StartRow + 1 for at in visible)


def _first_of_equals(rows: Any, compared: list[int], header: bool) -> list[int]:
    """Indexes of the header and of the first row of each group of equal rows."""
    seen: set[tuple[Any, ...]] = set()
    first_rows = []
    for index, row in enumerate(rows):
        key = tuple(row[column] for column in compared) if compared else row
        if (header and index == 0) or key not in seen:
            first_rows.append(index)
            if not (header and index == 0):
                seen.add(key)
    return first_rows
