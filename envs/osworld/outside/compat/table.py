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

from envs.osworld.outside.compat import objects as objects_compat
from envs.osworld.outside.compat import style as style_compat
from envs.osworld.outside.compat.cells import RawBook
from envs.osworld.outside.published.csv_files import decode_text_compat
from envs.osworld.outside.published.value_rules import fulfils_compat

Rule = Mapping[str, Any]


@dataclass(frozen=True)
class Book:
    """Needs pandas (extra "osworld")."""

    path: Path

    @cached_property
    def book(self) -> Any:
        """By openpyxl."""
        from openpyxl import load_workbook

        return load_workbook(self.path)

    @cached_property
    def frames(self) -> Any:
        """By pandas."""
        import pandas as pd

        return pd.ExcelFile(self.path)

    @cached_property
    def raw(self) -> RawBook:
        """From its XML."""
        return RawBook(self.path)

    def sheet(self, name: str) -> Any:
        """The openpyxl sheet; None where there is none."""
        return self.book[name] if name in self.book.sheetnames else None

    def frame(self, name: str) -> Any:
        """The pandas frame; None where there is no such sheet."""
        import pandas as pd

        return pd.read_excel(self.frames, name) if name in self.frames.sheet_names else None

    def printed_lines(self, name: str) -> list[str] | None:
        """Lines of the sheet's CSV file from the last one on; None where there is no file."""
        path = self.path.with_name(f"{self.path.stem}-{name}.csv")
        if not path.is_file():
            return None
        lines = [line.strip() for line in reversed(decode_text_compat(path).splitlines())]
        return list(dropwhile(operator.not_, lines))


class NoScore(Exception):
    """The rule scores 0 at once."""


@dataclass(frozen=True)
class Books:
    """The judged workbook and the expected one."""

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
        """Book and name of the sheets that the rule compares."""
        return [self.find(rule[key]) for key in ("sheet_idx0", "sheet_idx1")]


def _at(book: Book, index: int) -> str:
    names: list[str] = book.frames.sheet_names
    return names[index] if index < len(names) else ""


def compare_table_compat(
    result: Path, expected: Path | None = None, *, rules: Sequence[Rule]
) -> float:
    """Raises what reading the expected workbook, or a rule that does not fit a sheet, raises."""
    book = Book(result)
    try:
        assert book.book is not None
        assert book.frames is not None
    except Exception:
        # As in `compare_table`.
        return 0.0
    books = Books(book, None if expected is None else Book(expected))
    try:
        return float(all(_RULES[rule["type"]](books, rule) for rule in rules))
    except NoScore:
        return 0.0


def _names(books: Books, rule: Rule) -> bool:
    names = None if books.expected is None else books.expected.frames.sheet_names
    return bool(books.result.frames.sheet_names == names)


def _data(books: Books, rule: Rule) -> bool:
    """The first row names the columns; each column has one type, and only numbers are rounded."""
    actual, expected = (book.frame(name) for book, name in books.both(rule))
    if actual is None:
        raise NoScore
    decimals = rule.get("precision", 4)
    return bool(actual.round(decimals).equals(expected.round(decimals)))


def _print(books: Books, rule: Rule) -> bool:
    actual, expected = (book.printed_lines(name) for book, name in books.both(rule))
    if actual is None:
        raise NoScore
    if rule.get("ignore_case", False):
        # Raises TypeError where the expected sheet was not printed.
        actual, expected = ([line.lower() for line in lines] for lines in (actual, expected))  # type: ignore[union-attr]
    return actual == expected


def _fuzzy(books: Books, rule: Rule) -> bool:
    actual, expected = books.both(rule)
    # Every cell is read before the first is judged: reading may raise.
    judged = [
        _alike(str(_raw(actual, place)), str(_raw(expected, place)), part)
        for part in rule["rules"]
        for place in style_compat.coordinates(part["range"])
    ]
    return all(judged)


def _raw(sheet: tuple[Book, str], place: str) -> Any:
    book, name = sheet
    return book.raw.value(name, place)


def _alike(actual: str, expected: str, rule: Rule) -> bool:
    actual, expected = _normal(actual, rule), _normal(expected, rule)
    tests: dict[str, Callable[[], bool]] = {
        "includes": lambda: expected in actual,
        "included_by": lambda: actual in expected,
        "fuzzy_match": lambda: fuzz.ratio(actual, expected) >= rule.get("threshold", 85.0),
        "exact_match": lambda: actual == expected,
    }
    return tests[rule["type"]]()


def _normal(written: str, rule: Rule) -> str:
    for old, new in rule.get("normalization", ()):
        written = written.replace(old, new)
    written = written.lstrip(rule["trim_leadings"]) if "trim_leadings" in rule else written
    written = written.rstrip(rule["trim_trailings"]) if "trim_trailings" in rule else written
    written = "".join(letter for letter in written if letter not in rule.get("ignore_chars", ""))
    return written.lower() if rule.get("ignore_case", False) else written


def _cell(books: Books, rule: Rule) -> bool:
    try:
        book, name = books.find(rule["sheet_idx"])
        cell = book.sheet(name)[rule["coordinate"]]
        return all(
            fulfils_compat(_property(book, name, cell, prop), test)
            for prop, test in rule["props"].items()
        )
    except Exception as error:
        # Whatever goes wrong, the cell is wrong.
        raise NoScore from error


def _property(book: Book, name: str, cell: Any, prop: str) -> Any:
    try:
        if prop == "value":
            return book.raw.value(name, cell.coordinate)
        return style_compat.cell_property(prop, cell)
    except Exception:
        # What cannot be read counts as null.
        return None


def _style(books: Books, rule: Rule) -> bool:
    names = rule.get("props", [])
    actual, expected = (
        style_compat.styles(book.sheet(name), names, partial(book.raw.value, name))
        for book, name in books.both(rule)
    )
    return bool(actual == expected)


def _freeze(books: Books, rule: Rule) -> bool:
    actual, expected = (book.sheet(name) for book, name in books.both(rule))
    if actual is None:
        raise NoScore
    return bool(actual.freeze_panes == expected.freeze_panes)


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
    validations, expected = sheet.data_validations.dataValidation, rule["dv_props"]
    return len(validations) >= len(expected) and all(
        any(
            all(fulfils_compat(getattr(validation, prop), test) for prop, test in props.items())
            for props in expected
        )
        for validation in validations
    )


def _same(read: Callable[[Any, Rule], Any]) -> Callable[[Books, Rule], bool]:
    """A sheet that there is not reads as an empty one."""

    def check(books: Books, rule: Rule) -> bool:
        actual, expected = (
            {} if (sheet := book.sheet(name)) is None else read(sheet, rule)
            for book, name in books.both(rule)
        )
        return bool(actual == expected)

    return check


def _sparklines(books: Books, rule: Rule) -> bool:
    actual, expected = (book.raw.sparklines(name) for book, name in books.both(rule))
    return actual == expected


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
