"""Formulas must refer to what they are about."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from envs.osworld.outside.metrics.formulas import formulas_use


def score(folder: Path, value: object, *wanted: str) -> float:
    book = Workbook()
    book.active.title = "Data"
    book.active["C1"] = value
    book.create_sheet("Unit prices")
    book.save(folder / "a.xlsx")
    return formulas_use(folder / "a.xlsx", {"Data": {"C1": list(wanted)}})


@pytest.mark.parametrize(
    "formula",
    ["=SUM(B2:B9)", "=SUM($B$2:$B$9)", "=SUM(B:B)", "=SUM(B1:B4,B5:B9)", "=B2+SUM(Data!B3:B9)"],
)
def test_a_formula_that_covers_the_range(tmp_path: Path, formula: str) -> None:
    assert score(tmp_path, formula, "B2:B9") == 1


@pytest.mark.parametrize(
    "value",
    [42, "SUM(B2:B9)", "=42", "=SUM(B2:B8)", "=SUM(A2:A9)", "=SUM('Unit prices'!B2:B9)",
     '=LEN("B2:B9")', "=total"],
)  # fmt: skip
def test_what_does_not_refer_to_it(tmp_path: Path, value: object) -> None:
    assert score(tmp_path, value, "B2:B9") == 0


def test_another_sheet_by_its_quoted_name(tmp_path: Path) -> None:
    formula = "=VLOOKUP(A1,'Unit prices'!A$2:B$9,2,0)"
    assert score(tmp_path, formula, "A1", "Unit prices!B2:B9") == 1
    assert score(tmp_path, formula, "A2", "Unit prices!B2:B9") == 0


def test_what_is_no_workbook(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("=SUM(B2:B9)")
    assert formulas_use(tmp_path / "a.xlsx", {"Data": {"C1": ["B2"]}}) == 0
