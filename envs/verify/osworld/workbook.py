"""A workbook that is judged, and how the rules of task files name its sheets.

Guarantees: only cells that exist are looked at, so a value in the last cell of a sheet costs no
more than one in the first.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

BLANK = (None, "")


class NoSuchSheet(Exception):
    """The judged workbook has no sheet of that name or place."""


@dataclass(frozen=True)
class Book:
    path: Path

    @cached_property
    def written(self) -> Any:
        """Cells hold formulas."""
        from openpyxl import load_workbook

        return load_workbook(self.path)

    @cached_property
    def values(self) -> Any:
        """Cells hold what the formulas gave when the file was saved."""
        from openpyxl import load_workbook

        return load_workbook(self.path, data_only=True)

    @property
    def names(self) -> list[str]:
        """Of sheets with cells, in their order."""
        return [sheet.title for sheet in self.written.worksheets]


@dataclass(frozen=True)
class Sheet:
    book: Book
    name: str

    @property
    def written(self) -> Any:
        return self.book.written[self.name]

    @property
    def values(self) -> Any:
        return self.book.values[self.name]

    @property
    def part(self) -> str:
        """Where the archive has it."""
        from openpyxl import load_workbook

        book = load_workbook(self.book.path, read_only=True)
        try:
            return str(book[self.name]._worksheet_path)
        finally:
            book.close()


@dataclass(frozen=True)
class Books:
    result: Book
    expected: Book | None

    def sheet(self, index: int | str) -> Sheet:
        """`index`: a place (from 0) or "RI0" or "RNName" in the result, "EI0" or "ENName" in the
        expected workbook. Raises NoSuchSheet, ValueError where the expected workbook lacks it."""
        which, name = self._which(index)
        if which is None:
            raise ValueError(f"sheet {index!r}: the task has no expected workbook")
        names = which.names
        if isinstance(name, int) and 0 <= name < len(names):
            return Sheet(which, names[name])
        if name in names:
            return Sheet(which, str(name))
        if which is self.result:
            raise NoSuchSheet(str(index))
        raise ValueError(f"the expected workbook has no sheet {index!r}")

    def _which(self, index: int | str) -> tuple[Book | None, int | str]:
        if isinstance(index, int):
            return self.result, index
        side, name = index[:2], index[2:]
        if side not in ("RI", "RN", "EI", "EN"):
            raise ValueError(f"{index!r} names no sheet")
        book = self.result if side[0] == "R" else self.expected
        if side[1] == "N":
            return book, name
        if not name.isdecimal():
            raise ValueError(f"{index!r} names no sheet")
        return book, int(name)


def cells(sheet: Any) -> dict[tuple[int, int], Any]:
    """Values by row and column, of cells that are not blank."""
    return {place: cell.value for place, cell in sheet._cells.items() if cell.value not in BLANK}


def value_at(sheet: Any, row: int, column: int) -> Any:
    """None where there is no such cell, which is not made."""
    cell = sheet._cells.get((row, column))
    return None if cell is None else cell.value


def plain(value: Any) -> Any:
    """A cell's value as the file keeps it: days since 1899-12-30 for a date, 0 for midnight."""
    from openpyxl.utils.datetime import to_excel

    moments = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
    return to_excel(value) if isinstance(value, moments) else value


def bare(reference: str | None) -> str:
    """A reference without dollar signs and quotes."""
    return (reference or "").replace("$", "").replace("'", "")
