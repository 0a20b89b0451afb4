"""A workbook that is judged, and how the rules of task files name its sheets.

Guarantees: only cells that exist are looked at, so a value in the last cell of a sheet costs no
more than one in the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


class NoSuchSheet(Exception):
    """The judged workbook has no sheet of that name or place."""


@dataclass(frozen=True)
class Book:
    """A workbook, opened when it is first needed."""

    path: Path

    @cached_property
    def formulas(self) -> Any:
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
        return [sheet.title for sheet in self.formulas.worksheets]


@dataclass(frozen=True)
class Sheet:
    """A sheet by its name."""

    book: Book
    name: str

    @property
    def formulas(self) -> Any:
        """Cells hold formulas."""
        return self.book.formulas[self.name]

    @property
    def values(self) -> Any:
        """Cells hold what the formulas gave when the file was saved."""
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
    """The judged workbook and the expected one."""

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


def bare(reference: str | None) -> str:
    """A reference without dollar signs and quotes."""
    return (reference or "").replace("$", "").replace("'", "")
