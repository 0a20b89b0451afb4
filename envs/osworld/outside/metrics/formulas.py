"""What formulas refer to: a constant behind an equals sign is no answer to "with a formula".

Guarantees: formulas are parsed, never calculated; a name stands for nothing, only addresses count.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Area = tuple[str, int, int, int, int]
"""sheet, first column, first row, last column, last row; from 1, both ends within"""
LAST_COLUMN, LAST_ROW = 16_384, 1_048_576


def formulas_use(result: Path, rules: Mapping[str, Mapping[str, Sequence[str]]]) -> float:
    """1 when each cell in `rules[sheet]` has a formula that refers to all of the given ranges, such
    as "B2:B9" or "Prices!B2:B9"; it may refer to more. A file that is no workbook scores 0."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(result)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError):
        return 0.0
    return float(
        all(
            name in book.sheetnames
            and all(_uses(book[name][cell].value, name, ranges) for cell, ranges in cells.items())
            for name, cells in rules.items()
        )
    )


def _uses(formula: Any, sheet: str, ranges: Sequence[str]) -> bool:
    if not isinstance(formula, str) or not formula.startswith("="):
        return False
    references = areas(formula, sheet)
    return all(
        any(_covers(area, part) for area in references)
        for span in ranges
        for part in _cells(_area(span, sheet))
    )


def areas(formula: str, sheet: str) -> list[Area]:
    """The ranges that a formula on this sheet refers to."""
    from openpyxl.formula import Tokenizer

    references = []
    for token in Tokenizer(formula).items:
        if token.type == "OPERAND" and token.subtype == "RANGE":
            area = _area(token.value, sheet)
            if area is not None:
                references.append(area)
    return references


def _area(written: str, sheet: str) -> Area | None:
    from openpyxl.utils.cell import range_boundaries

    before, mark, address = written.rpartition("!")
    name = before.strip("'").replace("''", "'") if mark else sheet
    try:
        left, top, right, bottom = range_boundaries(address)
    except (ValueError, TypeError):
        return None
    return (name, left or 1, top or 1, right or LAST_COLUMN, bottom or LAST_ROW)


def _cells(area: Area | None) -> list[Area]:
    """Its single cells: several ranges together may cover what is wanted. Raises ValueError."""
    if area is None:
        raise ValueError("the rule names no range")
    name, left, top, right, bottom = area
    return [(name, x, y, x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def _covers(whole: Area, part: Area) -> bool:
    return (
        whole[0] == part[0]
        and whole[1] <= part[1] <= part[3] <= whole[3]
        and whole[2] <= part[2] <= part[4] <= whole[4]
    )
