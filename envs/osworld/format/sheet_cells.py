"""Reads cells of an openpyxl worksheet without creating any.

Guarantees: only cells that exist are visited, so a value in the last cell of a sheet costs no more
than one in the first.
"""

from __future__ import annotations

import datetime
from typing import Any

BLANK = (None, "")
Position = tuple[int, int]
"""Row and column, from 1."""


def filled_cells(sheet: Any) -> dict[Position, Any]:
    """Values of the cells that are not blank, by position."""
    return {
        position: cell.value for position, cell in sheet._cells.items() if cell.value not in BLANK
    }


def value_at(sheet: Any, row: int, column: int) -> Any:
    """The cell's value; None where the file has no such cell."""
    # sheet.cell() would create the cell, and with it all that openpyxl iterates over.
    cell = sheet._cells.get((row, column))
    return None if cell is None else cell.value


def stored_value(value: Any) -> Any:
    """A cell's value as the file stores it: days since 1899-12-30 for a date, 0 for midnight."""
    from openpyxl.utils.datetime import to_excel

    moments = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
    return to_excel(value) if isinstance(value, moments) else value


def cell_text(value: Any) -> str:
    """The value as text: empty for a blank cell, 3 for 3.0, TRUE for a boolean."""
    stored = stored_value(value)
    if stored is None:
        return ""
    if isinstance(stored, float) and stored.is_integer():
        return str(int(stored))
    return str(stored).upper() if isinstance(stored, bool) else str(stored)
