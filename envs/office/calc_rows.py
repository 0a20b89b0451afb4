"""Tools on whole rows and columns: inserting, deleting, hiding, sizing, ordering."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.calc_access import (
    area_of,
    changeable,
    range_at,
    range_of,
    runs,
    sheet_named,
    table_of,
    text_of,
    used_area,
)
from envs.office.calc_addresses import LAST_COLUMN, LAST_ROW, Area, column_index, parse_area
from envs.office.registry import OfficeError, office_tool

CM = 1000
"""Hundredths of a millimetre, UNO's unit, in a centimetre."""


@office_tool("calc.insert_rows", "calc")
def insert_rows(doc: Any, row: int, count: int = 1, sheet: str | None = None) -> None:
    """Inserts empty rows above a row, counted from 1."""
    _lines(doc, sheet, _row(row), _count(count), "rows").insertByIndex(row - 1, count)


@office_tool("calc.delete_rows", "calc")
def delete_rows(doc: Any, row: int, count: int = 1, sheet: str | None = None) -> None:
    """Deletes rows from a row, counted from 1, on."""
    _lines(doc, sheet, _row(row), _count(count), "rows").removeByIndex(row - 1, count)


@office_tool("calc.insert_columns", "calc")
def insert_columns(doc: Any, column: str, count: int = 1, sheet: str | None = None) -> None:
    """Inserts empty columns left of a column, given by its letters."""
    index = column_index(column)
    _lines(doc, sheet, index, _count(count), "columns").insertByIndex(index, count)


@office_tool("calc.delete_columns", "calc")
def delete_columns(doc: Any, column: str, count: int = 1, sheet: str | None = None) -> None:
    """Deletes columns from a column, given by its letters, on."""
    index = column_index(column)
    _lines(doc, sheet, index, _count(count), "columns").removeByIndex(index, count)


@office_tool("calc.hide", "calc")
def hide(doc: Any, lines: str, hidden: bool = True) -> None:
    """Hides rows or columns, or shows them again.

    lines: rows such as 3:5 or columns such as B:D, with a sheet before them as in Data.B:D.
    """
    found, _ = _whole_lines(doc, lines)
    found.IsVisible = not hidden


@office_tool("calc.hide_rows_with", "calc", timeout_s=20)
def hide_rows_with(doc: Any, value: str, range: str | None = None) -> int:
    """Hides every row that has a cell with exactly this value, and gives how many.

    value: text or a number as text, such as N/A. range: where to look; all of the active sheet if
    left out.
    """
    cells = changeable(table_of(doc, range))
    area, sheet = area_of(cells), cells.Spreadsheet
    found = [
        index
        for index, row in enumerate(cells.getDataArray())
        if any(text_of(cell) == value for cell in row)
    ]
    for first, last in runs(found):
        lines = Area(area.left, area.top + first, area.left, area.top + last)
        range_at(sheet, lines).Rows.IsVisible = False
    return len(found)


@office_tool("calc.set_column_width", "calc")
def set_column_width(doc: Any, columns: str, cm: float | None = None) -> None:
    """Sets the width of columns in centimetres; the optimal width if left out.

    columns: such as B or B:D, with a sheet before them as in Data.B:D.
    """
    found, area = _whole_lines(doc, columns)
    if (area.top, area.bottom) != (0, LAST_ROW):
        raise OfficeError("bad_value", f"{columns!r} must be columns, such as B:D")
    if cm is None:
        found.OptimalWidth = True
    else:
        found.Width = _length(cm, 100)


@office_tool("calc.set_row_height", "calc")
def set_row_height(doc: Any, rows: str, cm: float | None = None) -> None:
    """Sets the height of rows in centimetres; the optimal height if left out.

    rows: such as 3 or 3:5, with a sheet before them as in Data.3:5.
    """
    found, area = _whole_lines(doc, rows)
    if (area.left, area.right) != (0, LAST_COLUMN):
        raise OfficeError("bad_value", f"{rows!r} must be rows, such as 3:5")
    if cm is None:
        found.OptimalHeight = True
    else:
        found.Height = _length(cm, 30)


@office_tool("calc.reorder_columns", "calc")
def reorder_columns(doc: Any, order: list[str], sheet: str | None = None) -> None:
    """Puts columns into an order, with formatting and widths; formulas follow.

    order: letters or texts of the first row, such as ["C", "A", "B"] or ["Name", "Price"]; the
    first comes to A and so on, columns not named follow as they were.
    """
    found = changeable(sheet_named(doc, sheet))
    used = used_area(found)
    titles = [text_of(value) for value in _line(found, used, 0).getDataArray()[0]]
    now = list(range(used.width))
    wanted = [_column_of(name, titles, used) for name in order]
    if len(set(wanted)) < len(wanted):
        raise OfficeError("bad_value", f"a column is named twice in {order}")
    wanted += [index for index in now if index not in wanted]
    for place, column in enumerate(wanted):
        at = now.index(column)
        if at != place:
            _move_column(found, at, place)
            now.insert(place, now.pop(at))


def _move_column(sheet: Any, at: int, place: int) -> None:
    """Moves a column left to `place`; those between shift to the right."""
    sheet.Columns.insertByIndex(place, 1)
    source, goal = sheet.Columns.getByIndex(at + 1), sheet.Columns.getByIndex(place)
    width, visible = source.Width, source.IsVisible
    sheet.moveRange(goal.getCellByPosition(0, 0).CellAddress, source.RangeAddress)
    goal.Width, goal.IsVisible = width, visible
    sheet.Columns.removeByIndex(at + 1, 1)


def _column_of(name: str, titles: list[str], used: Area) -> int:
    if titles.count(name) == 1:
        return titles.index(name)
    if name.isascii() and name.isalpha() and len(name) <= 3:
        index = column_index(name)
        if index < used.width:
            return index
    raise OfficeError(
        "not_found", f"there is no column {name!r}; the first row: {', '.join(titles)}"
    )


def _line(sheet: Any, used: Area, row: int) -> Any:
    return sheet.getCellRangeByPosition(0, row, used.right, row)


def _whole_lines(doc: Any, lines: str) -> tuple[Any, Area]:
    """UNO's rows or columns of an address such as 3:5, 3, B:D or B."""
    area = parse_area(lines)
    cells = changeable(range_of(doc, str(area)))
    if (area.top, area.bottom) == (0, LAST_ROW):
        return cells.Columns, area
    if (area.left, area.right) == (0, LAST_COLUMN):
        return cells.Rows, area
    raise OfficeError("bad_value", f"{lines!r} must be whole rows (3:5) or columns (B:D)")


def _lines(
    doc: Any, sheet: str | None, index: int, count: int, what: Literal["rows", "columns"]
) -> Any:
    last = LAST_ROW if what == "rows" else LAST_COLUMN
    if index + count - 1 > last:
        raise OfficeError("bad_value", f"the sheet has only {last + 1} {what}")
    found = changeable(sheet_named(doc, sheet))
    return found.Rows if what == "rows" else found.Columns


def _row(row: int) -> int:
    if not 1 <= row <= LAST_ROW + 1:
        raise OfficeError("bad_value", f"rows are 1 to {LAST_ROW + 1}, not {row}")
    return row - 1


def _count(count: int) -> int:
    if count < 1:
        raise OfficeError("bad_value", f"count must be at least 1, not {count}")
    return count


def _length(cm: float, most: float) -> int:
    if not 0 < cm <= most:
        raise OfficeError("bad_value", f"must be more than 0 and at most {most} cm, not {cm}")
    return round(cm * CM)
