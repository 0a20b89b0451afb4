"""A formula of a conditional format, calculated for single cells.

Needs the package `formulas` (extra "osworld").
"""

from __future__ import annotations

from typing import Any

from envs.verify.osworld.workbook import BLANK, Sheet, plain

Place = tuple[int, int]


class Formula:
    """`written` has no equals sign; its relative references are those of the cell `top` (row,
    column). Raises ValueError for what is no formula, or one that needs what we do not know."""

    def __init__(self, written: str, sheet: Sheet, top: Place) -> None:
        import formulas

        self._sheet, self._top = sheet, top
        try:
            self._function = formulas.Parser().ast(f"={written}")[1].compile()
        except Exception as error:
            # The parser raises errors of many kinds.
            raise ValueError(f"{written!r} cannot be calculated: {error}") from error
        self._references = [_as_written(written, name) for name in self._function.inputs or ()]

    def at(self, place: Place) -> Any:
        """What it gives for this cell; None where that is an error."""
        import numpy as np

        rows, columns = place[0] - self._top[0], place[1] - self._top[1]
        try:
            given = [self._read(written, rows, columns) for written in self._references]
            found = np.asarray(self._function(*given), dtype=object).item()
            return found.item() if isinstance(found, np.generic) else found
        except Exception:
            # Functions fail in many ways on values of a kind they do not expect.
            return None

    def _read(self, written: str, rows: int, columns: int) -> Any:
        import numpy as np
        from openpyxl.formula.translate import Translator
        from openpyxl.utils.cell import range_boundaries

        name, mark, area = written.rpartition("!")
        sheet = self._named(name.strip("'")) if mark else self._sheet.values
        moved = Translator.translate_range(area, rows, columns)
        left, top, right, bottom = range_boundaries(moved)
        bottom, right = min(bottom or sheet.max_row, sheet.max_row), right or sheet.max_column
        found = sheet._cells
        return np.array(
            [
                [_given(found.get((y, x))) for x in range(left or 1, right + 1)]
                for y in range(top or 1, max(bottom, top or 1) + 1)
            ],
            dtype=object,
        )

    def _named(self, name: str) -> Any:
        book = self._sheet.book.values
        return next(sheet for sheet in book.worksheets if sheet.title.upper() == name.upper())


def _as_written(formula: str, name: str) -> str:
    """The reference with its dollar signs; the parser gives names without. Raises ValueError."""
    from openpyxl.formula import Tokenizer

    written = {
        token.value
        for token in Tokenizer(f"={formula}").items
        if token.type == "OPERAND" and token.subtype == "RANGE"
        if _bare(token.value) == _bare(name)
    }
    if len(written) != 1:
        raise ValueError(f"{name} is not one reference of {formula!r}")
    return str(written.pop())


def _bare(reference: str) -> str:
    return reference.replace("$", "").replace("'", "").upper()


def _given(cell: Any) -> Any:
    from formulas.functions import sh

    value = None if cell is None else plain(cell.value)
    return sh.EMPTY if value in BLANK else value
