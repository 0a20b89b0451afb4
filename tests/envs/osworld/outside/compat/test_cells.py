"""Cells as OSWorld reads them from a workbook's XML."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from envs.osworld.outside.compat.cells import RawBook


@pytest.fixture
def book(tmp_path: Path) -> RawBook:
    made = Workbook()
    sheet = made.worksheets[0]
    sheet.append([1, "text", True, "=1+1"])
    made.save(tmp_path / "a.xlsx")
    return RawBook(tmp_path / "a.xlsx")


def test_numbers_are_floats_and_there_are_no_booleans(book: RawBook) -> None:
    values = [book.value("Sheet", f"{column}1") for column in "ABC"]
    assert values == [1.0, "text", None]
    assert isinstance(values[0], float)


def test_what_is_not_there_is_none(book: RawBook) -> None:
    assert book.value("Sheet", "Z9") is None
    assert book.value("None", "A1") is None


def test_a_sheet_without_sparklines(book: RawBook) -> None:
    assert book.sparklines("Sheet") == {}
    with pytest.raises(KeyError):
        book.sparklines("None")
