"""What every Calc tool needs: sheets and ranges by their names, and values in bulk.

All functions raise OfficeError(not_found) for a sheet that does not exist, and
OfficeError(bad_value) for an address that cannot be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from envs.apps.office.calc.addresses import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    column_index,
    parse_area,
    quote_sheet,
)
from envs.apps.office.calc.formulas import uno_formula
from envs.apps.office.registry import OfficeError

Scalar = str | int | float | bool | None
"""A cell's value: null is an empty cell, a string that begins with = a formula."""

MAX_CELLS = 200_000
"""The most cells that one call reads or writes."""


def sheet_names(doc: Any) -> list[str]:
    """Names in the order of the sheets."""
    return list(doc.Sheets.ElementNames)


def sheet_named(doc: Any, name: str | None) -> Any:
    """The sheet of that name, upper and lower case alike; the active one for None."""
    if name is None:
        return doc.CurrentController.ActiveSheet
    for known in sheet_names(doc):
        if known.casefold() == name.casefold():
            return doc.Sheets.getByName(known)
    raise OfficeError("not_found", f"there is no sheet {name!r}; sheets: {_sheet_list(doc)}")


def range_of(doc: Any, address: str) -> Any:
    """The UNO range at an address; on the active sheet when the address names none."""
    area = parse_area(address)
    return range_at(sheet_named(doc, area.sheet), area)


def range_at(sheet: Any, area: Area) -> Any:
    """The UNO range of an area, on this sheet."""
    return sheet.getCellRangeByPosition(area.left, area.top, area.right, area.bottom)


def parse_cell(address: str) -> Area:
    """The area of one cell. Raises OfficeError(bad_value) for more than one."""
    area = parse_area(address)
    if (area.width, area.height) != (1, 1):
        raise OfficeError("bad_value", f"{address!r} must be one cell, such as B2")
    return area


def cell_of(doc: Any, address: str) -> Any:
    """The UNO cell at an address. Raises OfficeError(bad_value) for more than one cell."""
    area = parse_cell(address)
    return sheet_named(doc, area.sheet).getCellByPosition(area.left, area.top)


def area_of(cells: Any) -> Area:
    """Where a UNO range is, with its sheet's name."""
    at = cells.RangeAddress
    sheet = cells.Spreadsheet.Name
    return Area(at.StartColumn, at.StartRow, at.EndColumn, at.EndRow, sheet)


def used_area(sheet: Any) -> Area:
    """From A1 to the last cell that has content."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    at = cursor.RangeAddress
    return Area(0, 0, at.EndColumn, at.EndRow, sheet.Name)


def used_part(cells: Any) -> Any:
    """Whole columns and rows cut at the sheet's last content; other ranges unchanged."""
    area, used = area_of(cells), used_area(cells.Spreadsheet)
    right = max(area.left, used.right) if area.right == LAST_COLUMN else area.right
    bottom = max(area.top, used.bottom) if area.bottom == LAST_ROW else area.bottom
    return range_at(cells.Spreadsheet, Area(area.left, area.top, right, bottom))


def table_of(doc: Any, address: str | None) -> Any:
    """The range at an address, cut by `used_part`; for None all of the active sheet."""
    if address is not None:
        return require_cell_limit(used_part(range_of(doc, address)))
    sheet = sheet_named(doc, None)
    return require_cell_limit(range_at(sheet, used_area(sheet)))


def require_cell_limit(cells: Any) -> Any:
    """Returns the range. Raises OfficeError(bad_value) if it has more than MAX_CELLS cells."""
    area = area_of(cells)
    if area.width * area.height > MAX_CELLS:
        raise OfficeError(
            "bad_value",
            f"{area} has {area.width * area.height} cells; at most {MAX_CELLS} go in one call",
        )
    return cells


def require_changeable(cells: Any, sheet: Any = None) -> Any:
    """Returns the range or sheet. Raises OfficeError(not_allowed) where it is protected.

    LibreOffice ignores changes of protected cells silently. `sheet`: the cells' own, if the caller
    has it, because every object fetched from the office costs several requests.
    """
    sheet = sheet or cells.Spreadsheet
    if sheet.isProtected() and cells.CellProtection.IsLocked:
        raise OfficeError(
            "not_allowed",
            f"sheet {sheet.Name!r} is protected; calc.protect_sheet with protect false frees it",
        )
    return cells


def position_of_column(cells: Any, column: str, header: bool) -> int:
    """Index inside the range of a column given by letter or, with a header row, by its text."""
    area = area_of(cells)
    titles: list[str] = []
    if header:
        first = range_at(
            cells.Spreadsheet, Area(area.left, area.top, area.right, area.top)
        ).getDataArray()[0]
        titles = [text_of(value) for value in first]
        if titles.count(column) == 1:
            return titles.index(column)
    if column.isascii() and column.isalpha() and len(column) <= 3:
        index = column_index(column)
        if area.left <= index <= area.right:
            return index - area.left
    known = f"; its header: {', '.join(titles)}" if header else ""
    raise OfficeError("not_found", f"{area} has no column {column!r}{known}")


def data_of(cells: Any) -> list[list[str | float]]:
    """The range's values, "" for empty cells; where a formula failed, what the cell shows."""
    return [
        [
            cells.getCellByPosition(x, y).String if value is None else value
            for x, value in enumerate(row)
        ]
        for y, row in enumerate(cells.getDataArray())
    ]


def text_of(value: Any) -> str:
    """A value of a data array as text, whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def to_json_value(value: Any) -> Any:
    """A value of a data array for JSON: whole numbers as integers, empty cells as null."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return None if value == "" else value


def write_rows(cells: Any, rows: Sequence[Sequence[Scalar]], sheets: Sequence[str]) -> None:
    """Writes a block of exactly the range's size: values in one call, then each run of formulas.

    A void value in `setDataArray` crashes LibreOffice 7.4, so an empty cell is written as "".
    """
    cells.setDataArray(tuple(tuple(_as_datum(value) for value in row) for row in rows))
    for x, column in enumerate(zip(*rows, strict=True)):
        formulas = [_as_formula(value, sheets) for value in column]
        for first, last in consecutive_runs([y for y, formula in enumerate(formulas) if formula]):
            run = tuple((formula,) for formula in formulas[first : last + 1])
            cells.getCellRangeByPosition(x, first, x, last).setFormulaArray(run)


def is_formula(value: Scalar) -> bool:
    """Whether writing it to a cell makes a formula."""
    return isinstance(value, str) and len(value) > 1 and value.startswith("=")


def target_range(doc: Any, cell: str, width: int, height: int) -> Any:
    """The range of a size that begins at a cell, to be written.

    Raises OfficeError(bad_value) past the sheet's end, OfficeError(not_allowed) where protected.
    """
    start = area_of(cell_of(doc, cell))
    right, bottom = start.left + width - 1, start.top + height - 1
    if right > LAST_COLUMN or bottom > LAST_ROW:
        raise OfficeError("bad_value", f"{height} rows of {width} cells from {cell} do not fit")
    sheet = sheet_named(doc, start.sheet)
    return require_changeable(
        require_cell_limit(range_at(sheet, Area(start.left, start.top, right, bottom)))
    )


def consecutive_runs(indexes: Sequence[int]) -> list[tuple[int, int]]:
    """First and last index of each run without gaps in ascending indexes."""
    pairs: list[tuple[int, int]] = []
    for index in indexes:
        if pairs and index == pairs[-1][1] + 1:
            pairs[-1] = (pairs[-1][0], index)
        else:
            pairs.append((index, index))
    return pairs


def _as_formula(value: Scalar, sheets: Sequence[str]) -> str:
    """The formula to write for a value, "" for what is no formula."""
    if isinstance(value, bool):
        return "=TRUE()" if value else "=FALSE()"
    return uno_formula(str(value), sheets) if is_formula(value) else ""


def _as_datum(value: Scalar) -> str | float:
    if value is None or isinstance(value, bool) or is_formula(value):
        return ""
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        raise OfficeError("bad_value", f"{value} is not a number that a cell can have")
    return float(value)


def _sheet_list(doc: Any) -> str:
    return ", ".join(quote_sheet(name) for name in sheet_names(doc))
