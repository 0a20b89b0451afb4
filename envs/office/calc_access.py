"""What every Calc tool needs: sheets and ranges by their names, and values in bulk.

All of it raises OfficeError(not_found) for a sheet that does not exist and OfficeError(bad_value)
for an address that cannot be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from envs.office.calc_addresses import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    column_index,
    parse_area,
    quoted_sheet,
)
from envs.office.calc_formulas import uno_formula
from envs.office.registry import OfficeError

Scalar = str | int | float | bool | None
"""A cell's value: null is an empty cell, a string that begins with = a formula."""

MAX_CELLS = 200_000
"""Most cells that a call reads or writes in bulk."""


def sheet_names(doc: Any) -> list[str]:
    return list(doc.Sheets.ElementNames)


def sheet_named(doc: Any, name: str | None) -> Any:
    """The sheet of that name, upper and lower case alike; the active one for None."""
    if name is None:
        return doc.CurrentController.ActiveSheet
    for known in sheet_names(doc):
        if known.casefold() == name.casefold():
            return doc.Sheets.getByName(known)
    raise OfficeError("not_found", f"there is no sheet {name!r}; sheets: {_listed(doc)}")


def range_of(doc: Any, address: str) -> Any:
    """The UNO range at an address; on the active sheet when the address names none."""
    area = parse_area(address)
    return range_at(sheet_named(doc, area.sheet), area)


def range_at(sheet: Any, area: Area) -> Any:
    return sheet.getCellRangeByPosition(area.left, area.top, area.right, area.bottom)


def one_cell(address: str) -> Area:
    """Raises OfficeError(bad_value) for more than one cell."""
    area = parse_area(address)
    if (area.width, area.height) != (1, 1):
        raise OfficeError("bad_value", f"{address!r} must be one cell, such as B2")
    return area


def cell_of(doc: Any, address: str) -> Any:
    """The UNO cell at an address. Raises OfficeError(bad_value) for more than one cell."""
    area = one_cell(address)
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
    """Whole columns and rows up to the sheet's last content; other ranges as they are."""
    area, used = area_of(cells), used_area(cells.Spreadsheet)
    right = max(area.left, used.right) if area.right == LAST_COLUMN else area.right
    bottom = max(area.top, used.bottom) if area.bottom == LAST_ROW else area.bottom
    return range_at(cells.Spreadsheet, Area(area.left, area.top, right, bottom))


def table_of(doc: Any, address: str | None) -> Any:
    """The range at an address, whole columns and rows cut; for None all of the active sheet."""
    if address is not None:
        return bounded(used_part(range_of(doc, address)))
    sheet = sheet_named(doc, None)
    return bounded(range_at(sheet, used_area(sheet)))


def bounded(cells: Any) -> Any:
    """The range itself. Raises OfficeError(bad_value) when it has more than MAX_CELLS cells."""
    area = area_of(cells)
    if area.width * area.height > MAX_CELLS:
        raise OfficeError(
            "bad_value",
            f"{area} has {area.width * area.height} cells; at most {MAX_CELLS} go in one call",
        )
    return cells


def changeable(cells: Any, sheet: Any = None) -> Any:
    """The range or sheet itself. Raises OfficeError(not_allowed) where a sheet is protected.

    LibreOffice leaves protected cells as they are without a word. `sheet` is theirs, if at hand:
    every object that is asked of the office costs a few questions more.
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


def plain(value: Any) -> Any:
    """A value of a data array for JSON: whole numbers as integers, empty cells as null."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return None if value == "" else value


def write_rows(cells: Any, rows: Sequence[Sequence[Scalar]], sheets: Sequence[str]) -> None:
    """Writes a block of exactly the range's size: values in one call, then each run of formulas.

    A void value in `setDataArray` ends LibreOffice 7.4, so an empty cell is written as "".
    """
    cells.setDataArray(tuple(tuple(_datum(value) for value in row) for row in rows))
    for x, column in enumerate(zip(*rows, strict=True)):
        formulas = [_formula(value, sheets) for value in column]
        for first, last in runs([y for y, formula in enumerate(formulas) if formula]):
            run = tuple((formula,) for formula in formulas[first : last + 1])
            cells.getCellRangeByPosition(x, first, x, last).setFormulaArray(run)


def is_formula(value: Scalar) -> bool:
    return isinstance(value, str) and len(value) > 1 and value.startswith("=")


def target(doc: Any, cell: str, width: int, height: int) -> Any:
    """The range of a size that begins at a cell, to be written.

    Raises OfficeError(bad_value) past the sheet's end, OfficeError(not_allowed) where protected.
    """
    start = area_of(cell_of(doc, cell))
    right, bottom = start.left + width - 1, start.top + height - 1
    if right > LAST_COLUMN or bottom > LAST_ROW:
        raise OfficeError("bad_value", f"{height} rows of {width} cells from {cell} do not fit")
    sheet = sheet_named(doc, start.sheet)
    return changeable(bounded(range_at(sheet, Area(start.left, start.top, right, bottom))))


def runs(indexes: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbours in ascending indexes."""
    found: list[tuple[int, int]] = []
    for index in indexes:
        if found and index == found[-1][1] + 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found


def _formula(value: Scalar, sheets: Sequence[str]) -> str:
    """The formula that a value is written as, "" for what is no formula."""
    if isinstance(value, bool):
        return "=TRUE()" if value else "=FALSE()"
    return uno_formula(str(value), sheets) if is_formula(value) else ""


def _datum(value: Scalar) -> str | float:
    if value is None or isinstance(value, bool) or is_formula(value):
        return ""
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        raise OfficeError("bad_value", f"{value} is no number that a cell can have")
    return float(value)


def _listed(doc: Any) -> str:
    return ", ".join(quoted_sheet(name) for name in sheet_names(doc))
