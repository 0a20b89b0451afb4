"""A formula of a conditional format, calculated for single cells.

Needs the package `formulas` (extra "osworld").
"""

from __future__ import annotations

from typing import Any

from envs.osworld.format.sheet_cells import BLANK, stored_value
from envs.osworld.outside.published.workbook import Sheet

Place = tuple[int, int]
MAX_CELLS = 1_000_000


class Formula:
    """`written` has no equals sign; its relative references are those of the cell `top` (row,
    column). Raises ValueError for what is no formula, or one that needs what we do not know."""

    def __init__(self, written: str, sheet: Sheet, top: Place) -> None:
        import formulas

        self._sheet, self._top = sheet, top
        self._known: dict[str, Any] = {}
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
            arguments = [self._read(written, rows, columns) for written in self._references]
            value = np.asarray(self._function(*arguments), dtype=object).item()
            return value.item() if isinstance(value, np.generic) else value
        except Exception:
            # Functions fail in many ways on values of a kind they do not expect.
            return None

    def _read(self, written: str, rows: int, columns: int) -> Any:
        from openpyxl.formula.translate import Translator

        name, mark, area = written.rpartition("!")
        moved = Translator.translate_range(area, rows, columns)
        if f"{name}!{moved}" not in self._known:
            sheet = self._sheet_named(name.strip("'")) if mark else self._sheet.values
            self._known[f"{name}!{moved}"] = _values(sheet, moved)
        return self._known[f"{name}!{moved}"]

    def _sheet_named(self, name: str) -> Any:
        book = self._sheet.book.values
        return next(sheet for sheet in book.worksheets if sheet.title.upper() == name.upper())


def _values(sheet: Any, area: str) -> Any:
    """Of the range's cells, without rows and columns beyond the last one in use. Raises
    ValueError."""
    import numpy as np
    from openpyxl.utils.cell import range_boundaries

    left, top, right, bottom = (corner or 0 for corner in range_boundaries(area))
    left, top = max(left, 1), max(top, 1)
    right = max(left, min(right or sheet.max_column, sheet.max_column))
    bottom = max(top, min(bottom or sheet.max_row, sheet.max_row))
    if (right - left + 1) * (bottom - top + 1) > MAX_CELLS:
        raise ValueError(f"{area} has over {MAX_CELLS} cells")
    cells = sheet._cells
    return np.array(
        [
            [_cell_value(cells.get((row, column))) for column in range(left, right + 1)]
            for row in range(top, bottom + 1)
        ],
        dtype=object,
    )


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


def _cell_value(cell: Any) -> Any:
    from formulas.functions import sh

    value = None if cell is None else stored_value(cell.value)
    return sh.EMPTY if value in BLANK else value
