"""Cells are read as the file stores them, and none is created."""

from __future__ import annotations

import datetime

import pytest
from openpyxl import Workbook

from envs.osworld.format.sheet_cells import cell_text, filled_cells, stored_value, value_at


def test_only_cells_with_a_value_are_filled() -> None:
    sheet = Workbook().active
    assert sheet is not None
    sheet["B2"], sheet["C3"], sheet["D4"] = 1, "", 0
    assert filled_cells(sheet) == {(2, 2): 1, (4, 4): 0}


def test_reading_creates_no_cell() -> None:
    sheet = Workbook().active
    assert sheet is not None
    assert value_at(sheet, 1_000_000, 3) is None
    assert sheet.max_row == 1


def test_dates_are_days_and_midnight_is_zero() -> None:
    assert stored_value(datetime.date(1900, 3, 1)) == 61
    assert stored_value(datetime.time(12)) == 0.5
    assert stored_value(datetime.timedelta(days=2)) == 2
    assert stored_value("2024-01-01") == "2024-01-01"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (3.0, "3"), (2.5, "2.5"), (True, "TRUE"), ("x", "x"), (7, "7"),
     (datetime.date(1900, 3, 1), "61")],
)  # fmt: skip
def test_values_as_text(value: object, text: str) -> None:
    assert cell_text(value) == text
