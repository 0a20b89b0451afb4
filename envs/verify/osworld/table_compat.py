"""`compare_table` as OSWorld itself scores it.

Sheets of cell values are looked up by an id that is not the sheet's file, data are compared with
the types of whole columns, and what is missing may raise.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import dropwhile
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from envs.verify.osworld import objects_compat, style_compat
from envs.verify.osworld.cells_compat import RawBook
from envs.verify.osworld.csv_files import decoded_compat
from envs.verify.osworld.value_rules import fulfils_compat
from envs.verify.registry import compat

Rule = Mapping[str, Any]


@dataclass(frozen=True)
class Book:
    """Needs pandas (extra "osworld")."""

    path: Path

    @cached_property
    def book(self) -> Any:
        from openpyxl import load_workbook

        return load_workbook(self.path)

    @cached_property
    def frames(self) -> Any:
        import pandas as pd

        return pd.ExcelFile(self.path)

    @cached_property
    def raw(self) -> RawBook:
        return RawBook(self.path)

    def sheet(self, name: str) -> Any:
        return self.book[name] if name in self.book.sheetnames else None

    def frame(self, name: str) -> Any:
        import pandas as pd

        return pd.read_excel(self.frames, name) if name in self.frames.sheet_names else None

    def printed(self, name: str) -> list[str] | None:
        path = self.path.with_name(f"{self.path.stem}-{name}.csv")
        if not path.is_file():
            return None
        lines = [line.strip() for line in reversed(decoded_compat(path).splitlines())]
        return list(dropwhile(operator.not_, lines))


class NoScore(Exception):
    """The rule scores 0 at once."""


@dataclass(frozen=True)
class Books:
    result: Book
    expected: Book | None

    def find(self, index: int | str) -> tuple[Book, str]:
        """A name is empty where there is no sheet of that place."""
        if isinstance(index, int):
            return self.result, _at(self.result, index)
        side, name = index[:1], index[2:]
        if index[:2] not in ("RI", "RN", "EI", "EN"):
            raise ValueError(f"{index!r} names no sheet")
        book = self.result if side == "R" else self.expected
        if book is None:
            raise NotImplementedError("there is no expected workbook")
        return book, name if index[1] == "N" else _at(book, int(name))

    def both(self, rule: Rule) -> list[tuple[Book, str]]:
        return [self.find(rule[key]) for key in ("sheet_idx0", "sheet_idx1")]


def _at(book: Book, index: int) -> str:
    names: list[str] = book.frames.sheet_names
    return names[index] if index < len(names) else ""


@compat
def compare_table_compat(
    result: Path, expected: Path | None = None, *, rules: Sequence[Rule]
) -> float:
    """Raises what reading the expected workbook, or a rule that does not fit a sheet, raises."""
    found = Book(result)
    try:
        assert found.book is not None
        assert found.frames is not None
    except Exception:
        # As in `compare_table`.
        return 0.0
    books = Books(found, None if expected is None else Book(expected))
    try:
        return float(all(_RULES[rule["type"]](books, rule) for rule in rules))
    except NoScore:
        return 0.0


def _names(books: Books, rule: Rule) -> bool:
    wanted = None if books.expected is None else books.expected.frames.sheet_names
    return bool(books.result.frames.sheet_names == wanted)


def _data(books: Books, rule: Rule) -> bool:
    """The first row names the columns; each column has one type, and only numbers are rounded."""
    found, wanted = (book.frame(name) for book, name in books.both(rule))
    if found is None:
        raise NoScore
    decimals = rule.get("precision", 4)
    return bool(found.round(decimals).equals(wanted.round(decimals)))


def _print(books: Books, rule: Rule) -> bool:
    found, wanted = (book.printed(name) for book, name in books.both(rule))
    if found is None:
        raise NoScore
    if rule.get("ignore_case", False):
        # Raises TypeError where the expected sheet was not printed.
        found, wanted = ([line.lower() for line in lines] for lines in (found, wanted))  # type: ignore[union-attr]
    return found == wanted


def _fuzzy(books: Books, rule: Rule) -> bool:
    found, wanted = books.both(rule)
    # Every cell is read before the first is judged: reading may raise.
    judged = [
        _alike(str(_raw(found, place)), str(_raw(wanted, place)), part)
        for part in rule["rules"]
        for place in style_compat.coordinates(part["range"])
    ]
    return all(judged)


def _raw(sheet: tuple[Book, str], place: str) -> Any:
    book, name = sheet
    return book.raw.value(name, place)


def _alike(found: str, wanted: str, rule: Rule) -> bool:
    found, wanted = _normal(found, rule), _normal(wanted, rule)
    tests: dict[str, Callable[[], bool]] = {
        "includes": lambda: wanted in found,
        "included_by": lambda: found in wanted,
        "fuzzy_match": lambda: fuzz.ratio(found, wanted) >= rule.get("threshold", 85.0),
        "exact_match": lambda: found == wanted,
    }
    return tests[rule["type"]]()


def _normal(written: str, rule: Rule) -> str:
    for old, new in rule.get("normalization", ()):
        written = written.replace(old, new)
    written = written.lstrip(rule["trim_leadings"]) if "trim_leadings" in rule else written
    written = written.rstrip(rule["trim_trailings"]) if "trim_trailings" in rule else written
    written = "".join(one for one in written if one not in rule.get("ignore_chars", ""))
    return written.lower() if rule.get("ignore_case", False) else written


def _cell(books: Books, rule: Rule) -> bool:
    try:
        book, name = books.find(rule["sheet_idx"])
        cell = book.sheet(name)[rule["coordinate"]]
        return all(
            fulfils_compat(_property(book, name, cell, prop), wanted)
            for prop, wanted in rule["props"].items()
        )
    except Exception as error:
        # Whatever goes wrong, the cell is wrong.
        raise NoScore from error


def _property(book: Book, name: str, cell: Any, prop: str) -> Any:
    try:
        if prop == "value":
            return book.raw.value(name, cell.coordinate)
        return style_compat.look(prop, cell)
    except Exception:
        # What cannot be read counts as null.
        return None


def _style(books: Books, rule: Rule) -> bool:
    names = rule.get("props", [])
    found, wanted = (
        style_compat.styles(book.sheet(name), names, partial(book.raw.value, name))
        for book, name in books.both(rule)
    )
    return bool(found == wanted)


def _freeze(books: Books, rule: Rule) -> bool:
    found, wanted = (book.sheet(name) for book, name in books.both(rule))
    if found is None:
        raise NoScore
    return bool(found.freeze_panes == wanted.freeze_panes)


def _zoom(books: Books, rule: Rule) -> bool:
    book, name = books.find(rule["sheet_idx"])
    sheet = book.sheet(name)
    if sheet is None:
        raise NoScore
    return fulfils_compat(sheet.sheet_view.zoomScale or 100.0, rule)


def _validations(books: Books, rule: Rule) -> bool:
    book, name = books.find(rule["sheet_idx"])
    sheet = book.sheet(name)
    if sheet is None:
        raise NoScore
    found, wanted = sheet.data_validations.dataValidation, rule["dv_props"]
    return len(found) >= len(wanted) and all(
        any(
            all(fulfils_compat(getattr(one, prop), test) for prop, test in props.items())
            for props in wanted
        )
        for one in found
    )


def _same(read: Callable[[Any, Rule], Any]) -> Callable[[Books, Rule], bool]:
    """A sheet that there is not reads as an empty one."""

    def check(books: Books, rule: Rule) -> bool:
        found, wanted = (
            {} if (sheet := book.sheet(name)) is None else read(sheet, rule)
            for book, name in books.both(rule)
        )
        return bool(found == wanted)

    return check


def _sparklines(books: Books, rule: Rule) -> bool:
    found, wanted = (book.raw.sparklines(name) for book, name in books.both(rule))
    return found == wanted


_RULES: dict[str, Callable[[Books, Rule], bool]] = {
    "sheet_name": _names,
    "sheet_data": _data,
    "sheet_print": _print,
    "sheet_fuzzy": _fuzzy,
    "check_cell": _cell,
    "style": _style,
    "freeze": _freeze,
    "zoom": _zoom,
    "data_validation": _validations,
    "sparkline": _sparklines,
    "row_props": _same(lambda sheet, rule: objects_compat.lines(sheet.row_dimensions, rule)),
    "col_props": _same(lambda sheet, rule: objects_compat.lines(sheet.column_dimensions, rule)),
    "chart": _same(objects_compat.charts),
    "filter": _same(objects_compat.filters),
    "pivot_table": _same(objects_compat.pivots),
}
