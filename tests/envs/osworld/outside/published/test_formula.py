"""Formulas of conditional formats, calculated for single cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from envs.osworld.outside.published.formula import Formula
from envs.osworld.outside.published.workbook import Book, Sheet


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    book = Workbook()
    first: Any = book.worksheets[0]
    for row in ([1, 10], [2, 20], [3, "text"]):
        first.append(row)
    book.create_sheet("Other")["A1"] = 7
    book.save(tmp_path / "a.xlsx")
    return Sheet(Book(tmp_path / "a.xlsx"), "Sheet")


def test_relative_references_move_and_fixed_ones_stay(sheet: Sheet) -> None:
    relative = Formula("A1*2", sheet, (1, 1))
    assert [relative.at((row, 1)) for row in (1, 2, 3)] == [2, 4, 6]
    fixed = Formula("$A$1*2", sheet, (1, 1))
    assert [fixed.at((row, 1)) for row in (1, 2)] == [2, 2]


def test_another_sheet_by_its_name(sheet: Sheet) -> None:
    assert Formula("Other!$A$1+A1", sheet, (1, 1)).at((2, 1)) == 9


def test_what_is_no_formula(sheet: Sheet) -> None:
    with pytest.raises(ValueError, match="cannot be calculated"):
        Formula("(((", sheet, (1, 1))
