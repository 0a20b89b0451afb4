"""Tools on whole rows and columns: insert, delete, hide, resize, reorder."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import (
    area_of,
    consecutive_runs,
    range_at,
    range_of,
    require_changeable,
    sheet_named,
    table_of,
    text_of,
    used_area,
)
from envs.apps.office.calc.addresses import LAST_COLUMN, LAST_ROW, Area, column_index, parse_area
from envs.apps.office.lengths import from_cm
from envs.apps.office.registry import OfficeError, ToolGroup

tools = ToolGroup("calc")


@tools.tool("calc.insert_rows")
def insert_rows(doc: Any, row: int, count: int = 1, sheet: str | None = None) -> None:
    """Inserts empty rows above a row, counted from 1."""
    _rows_or_columns(doc, sheet, _row_index(row), _check_count(count), "rows").insertByIndex(
        row - 1, count
    )


@tools.tool("calc.delete_rows")
def delete_rows(doc: Any, row: int, count: int = 1, sheet: str | None = None) -> None:
    """Deletes rows from a row, counted from 1, on."""
    _rows_or_columns(doc, sheet, _row_index(row), _check_count(count), "rows").removeByIndex(
        row - 1, count
    )


@tools.tool("calc.insert_columns")
def insert_columns(doc: Any, column: str, count: int = 1, sheet: str | None = None) -> None:
    """Inserts empty columns left of a column, given by its letters."""
    index = column_index(column)
    _rows_or_columns(doc, sheet, index, _check_count(count), "columns").insertByIndex(index, count)


@tools.tool("calc.delete_columns")
def delete_columns(doc: Any, column: str, count: int = 1, sheet: str | None = None) -> None:
    """Deletes columns from a column, given by its letters, on."""
    index = column_index(column)
    _rows_or_columns(doc, sheet, index, _check_count(count), "columns").removeByIndex(index, count)


@tools.tool("calc.hide")
def hide(doc: Any, lines: str, hidden: bool = True) -> None:
    """Hides rows or columns, or shows them again.

    lines: rows such as 3:5 or columns such as B:D, with a sheet before them as in Data.B:D.
    """
    rows_or_columns, _ = _whole_lines(doc, lines)
    rows_or_columns.IsVisible = not hidden


@tools.tool("calc.hide_rows_with", timeout_s=20)
def hide_rows_with(doc: Any, value: str, range: str | None = None) -> int:
    """Hides every row that has a cell with exactly this value, and gives how many.

    value: text or a number as text, such as N/A. range: where to look; all of the active sheet if
    left out.
    """
    cells = require_changeable(table_of(doc, range))
    area, sheet = area_of(cells), cells.Spreadsheet
    matching_rows = [
        index
        for index, row in enumerate(cells.getDataArray())
        if any(text_of(cell) == value for cell in row)
    ]
    for first, last in consecutive_runs(matching_rows):
        lines = Area(area.left, area.top + first, area.left, area.top + last)
        range_at(sheet, lines).Rows.IsVisible = False
    return len(matching_rows)


@tools.tool("calc.set_column_width")
def set_column_width(doc: Any, columns: str, cm: float | None = None) -> None:
    """Sets the width of columns in centimetres; the optimal width if left out.

    columns: such as B or B:D, with a sheet before them as in Data.B:D.
    """
    target_columns, area = _whole_lines(doc, columns)
    if (area.top, area.bottom) != (0, LAST_ROW):
        raise OfficeError("bad_value", f"{columns!r} must be columns, such as B:D")
    if cm is None:
        target_columns.OptimalWidth = True
    else:
        target_columns.Width = _length_from_cm(cm, 100)


@tools.tool("calc.set_row_height")
def set_row_height(doc: Any, rows: str, cm: float | None = None) -> None:
    """Sets the height of rows in centimetres; the optimal height if left out.

    rows: such as 3 or 3:5, with a sheet before them as in Data.3:5.
    """
    target_rows, area = _whole_lines(doc, rows)
    if (area.left, area.right) != (0, LAST_COLUMN):
        raise OfficeError("bad_value", f"{rows!r} must be rows, such as 3:5")
    if cm is None:
        target_rows.OptimalHeight = True
    else:
        target_rows.Height = _length_from_cm(cm, 30)


@tools.tool("calc.reorder_columns")
def reorder_columns(doc: Any, order: list[str], sheet: str | None = None) -> None:
    """Puts columns into an order, with formatting and widths; formulas follow.

    order: letters or texts of the first row, such as ["C", "A", "B"] or ["Name", "Price"]; the
    first comes to A and so on, columns not named follow as they were.
    """
    target_sheet = require_changeable(sheet_named(doc, sheet))
    used = used_area(target_sheet)
    titles = [text_of(value) for value in _row_cells(target_sheet, used, 0).getDataArray()[0]]
    current = list(range(used.width))
    target_order = [_column_of(name, titles, used) for name in order]
    if len(set(target_order)) < len(target_order):
        raise OfficeError("bad_value", f"a column is named twice in {order}")
    target_order += [index for index in current if index not in target_order]
    for place, column in enumerate(target_order):
        at = current.index(column)
        if at != place:
            _move_column(target_sheet, at, place)
            current.insert(place, current.pop(at))


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


def _row_cells(sheet: Any, used: Area, row: int) -> Any:
    return sheet.getCellRangeByPosition(0, row, used.right, row)


def _whole_lines(doc: Any, lines: str) -> tuple[Any, Area]:
    """UNO's rows or columns of an address such as 3:5, 3, B:D or B."""
    area = parse_area(lines)
    cells = require_changeable(range_of(doc, str(area)))
    if (area.top, area.bottom) == (0, LAST_ROW):
        return cells.Columns, area
    if (area.left, area.right) == (0, LAST_COLUMN):
        return cells.Rows, area
    raise OfficeError("bad_value", f"{lines!r} must be whole rows (3:5) or columns (B:D)")


def _rows_or_columns(
    doc: Any, sheet: str | None, index: int, count: int, kind: Literal["rows", "columns"]
) -> Any:
    last = LAST_ROW if kind == "rows" else LAST_COLUMN
    if index + count - 1 > last:
        raise OfficeError("bad_value", f"the sheet has only {last + 1} {kind}")
    target_sheet = require_changeable(sheet_named(doc, sheet))
    return target_sheet.Rows if kind == "rows" else target_sheet.Columns


def _row_index(row: int) -> int:
    if not 1 <= row <= LAST_ROW + 1:
        raise OfficeError("bad_value", f"rows are 1 to {LAST_ROW + 1}, not {row}")
    return row - 1


def _check_count(count: int) -> int:
    if count < 1:
        raise OfficeError("bad_value", f"count must be at least 1, not {count}")
    return count


def _length_from_cm(cm: float, most: float) -> int:
    if not 0 < cm <= most:
        raise OfficeError("bad_value", f"must be more than 0 and at most {most} cm, not {cm}")
    return from_cm(cm)
