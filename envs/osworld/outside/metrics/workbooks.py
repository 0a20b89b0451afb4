"""Metrics of spreadsheets."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Cell = Any
"""null, a value, or {"value", "formula": whether it must (not) be one}"""


def workbook_is(result: Path, rules: Mapping[str, Sequence[Sequence[Cell]]]) -> float:
    """1 when the workbook has just these sheets, in this order, with just these cells. A file that
    is no workbook scores 0."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        values = load_workbook(result, data_only=True)
        formulas = load_workbook(result)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError):
        return 0.0
    if values.sheetnames != list(rules):
        return 0.0
    return float(all(sheet_is(values[name], formulas[name], rows) for name, rows in rules.items()))


def sheet_is(values: Any, formulas: Any, rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a sheet holds just these rows."""
    height = max(len(rows), values.max_row)
    width = max([values.max_column, *(len(row) for row in rows)])
    for y in range(height):
        for x in range(width):
            expected = rows[y][x] if y < len(rows) and x < len(rows[y]) else None
            value = values.cell(y + 1, x + 1).value
            formula = formulas.cell(y + 1, x + 1).value
            if not cell_is(value, formula, expected):
                return False
    return True


def cell_is(value: Any, formula: Any, expected: Cell) -> bool:
    """Whether a cell holds this value, numbers within 1e-6."""
    is_formula = isinstance(formula, str) and formula.startswith("=")
    if isinstance(expected, Mapping):
        if "formula" in expected and is_formula != expected["formula"]:
            return False
        expected = expected["value"]
    if isinstance(expected, bool) or isinstance(value, bool):
        return value is expected
    if isinstance(expected, int | float):
        return isinstance(value, int | float) and math.isclose(value, expected, abs_tol=1e-6)
    return (value or None) == (expected or None)
