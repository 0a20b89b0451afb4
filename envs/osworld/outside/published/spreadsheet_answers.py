"""OfficeWorld's metric of workbooks: the cells that hold the answer."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from envs.osworld.format.sheet_cells import BLANK, stored_value, value_at
from envs.osworld.outside.published.table import open_workbook
from envs.osworld.outside.published.table_cells import cell_positions, same_value
from envs.osworld.outside.published.workbook import Book

PRECISION = 2


def compare_spreadsheet(
    result: Path, expected: Path, answer_position: str, instruction_type: str = ""
) -> float:
    """1 when the cells of `answer_position`, such as "B2:B5" or "'Sheet1'!C1:K6,'Data'!A1", hold
    what they do in the expected workbook: numbers to two decimals, also when kept as text, times
    to the minute. Without a name the first sheet is meant. `instruction_type` does not matter."""
    target = Book(expected)
    areas = list(_areas(answer_position, target))
    book = open_workbook(result)
    if book is None or any(name not in book.names for name, _ in areas):
        return 0.0
    return float(
        all(
            _same(value_at(book.values[name], *place), value_at(target.values[name], *place))
            for name, area in areas
            for place in cell_positions([area])
        )
    )


def _areas(positions: str, book: Book) -> Iterator[tuple[str, str]]:
    """Name of sheet and range of each; the quotes in task files are not always in pairs."""
    for position in positions.split(","):
        name, mark, area = position.strip().rpartition("!")
        name = name.strip("'") if mark else book.names[0]
        if name not in book.names:
            raise ValueError(f"the expected workbook has no sheet {name!r}")
        yield name, area.strip("'")


def _same(actual: Any, expected: Any) -> bool:
    if actual in BLANK or expected in BLANK:
        return actual in BLANK and expected in BLANK
    return same_value(_value(actual), _value(expected), PRECISION)


def _value(value: Any) -> Any:
    if isinstance(value, datetime.datetime | datetime.date):
        return round(stored_value(value) * 24 * 60)
    if isinstance(value, datetime.time):
        return value.replace(second=0, microsecond=0)
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return number if math.isfinite(number) else value
    return value
