"""Formatting of cells as OSWorld reads it."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.styles import Font

from envs.osworld.outside.compat.style import coordinates, styles


def test_ranges_as_cells() -> None:
    assert list(coordinates(["A1:B2", "D4"])) == ["A1", "B1", "A2", "B2", "D4"]


def test_every_cell_has_its_properties() -> None:
    sheet = Workbook().worksheets[0]
    sheet["A1"], sheet["B1"] = "x", "y"
    sheet["B1"].font = Font(bold=True)
    read = styles(sheet, ["font_bold"], lambda coordinate: sheet[coordinate].value)
    assert read == {"A1": [False], "B1": [True]}


def test_no_sheet_has_no_cells() -> None:
    assert styles(None, ["font_bold"], lambda coordinate: None) == {}
