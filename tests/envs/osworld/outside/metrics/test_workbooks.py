"""A workbook holds just these sheets with just these cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from envs.osworld.outside.metrics.workbooks import cell_is, workbook_is


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Data"
    sheet.append(["Name", 3])
    made.save(tmp_path / "a.xlsx")
    return tmp_path / "a.xlsx"


def test_just_these_cells(book: Path) -> None:
    assert workbook_is(book, {"Data": [["Name", 3]]}) == 1
    assert workbook_is(book, {"Data": [["Name", 3], [None, None]]}) == 1
    assert workbook_is(book, {"Data": [["Name", 4]]}) == 0
    assert workbook_is(book, {"Data": [["Name"]]}) == 0
    assert workbook_is(book, {"Data": [["Name", 3]], "More": []}) == 0


def test_what_is_no_workbook(tmp_path: Path) -> None:
    file = tmp_path / "b.xlsx"
    file.write_text("no")
    assert workbook_is(file, {"Data": []}) == 0


@pytest.mark.parametrize(
    ("value", "formula", "expected", "equal"),
    [
        (2, "=1+1", 2, True),
        (2, "=1+1", {"value": 2, "formula": True}, True),
        (2, 2, {"value": 2, "formula": True}, False),
        (2, "=1+1", {"value": 2, "formula": False}, False),
        (0.1 + 0.2, None, 0.3, True),
        (True, None, 1, False),
        ("", None, None, True),
        ("3", None, 3, False),
    ],
)
def test_cells(value: Any, formula: Any, expected: Any, equal: bool) -> None:
    assert cell_is(value, formula, expected) is equal
