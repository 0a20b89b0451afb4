"""Rules of `compare_table` about what cells hold."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from envs.osworld.format.sheet_cells import cell_text, filled_cells, value_at
from envs.osworld.outside.published.csv_files import decode_text
from envs.osworld.outside.published.workbook import Books, NoSuchSheet, Sheet

Rule = Mapping[str, Any]
PRECISION = 4
THRESHOLD = 85.0
MAX_CELLS = 100_000
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,300})(\.\d{1,300})?")
_TESTS = {"includes", "included_by", "fuzzy_match", "exact_match"}


def same_names(books: Books, rule: Rule) -> bool:
    """The workbooks have sheets of the same names in the same order."""
    if books.expected is None:
        raise ValueError("sheet_name: the task has no expected workbook")
    return books.result.names == books.expected.names


def same_data(books: Books, rule: Rule) -> bool:
    """`sheet_idx0` and `sheet_idx1` hold the same values, numbers to `precision` decimals (4);
    texts in any case with `ignore_case`."""
    actual, expected = (
        filled_cells(books.sheet(rule[key]).values) for key in ("sheet_idx0", "sheet_idx1")
    )
    precision, ignore_case = rule.get("precision", PRECISION), rule.get("ignore_case", False)
    return actual.keys() == expected.keys() and all(
        same_value(actual[place], value, precision, ignore_case)
        for place, value in expected.items()
    )


def same_value(actual: Any, expected: Any, precision: int, ignore_case: bool = False) -> bool:
    """True is no number. Numbers are the same that round to the same, or differ by no more than
    half of the last decimal; one of them may be kept as text, as it reads (so not as "007")."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, int | float) or isinstance(expected, int | float):
        numbers = _number(actual), _number(expected)
        return None not in numbers and _close(*numbers, precision)  # type: ignore[arg-type]
    if ignore_case and isinstance(actual, str) and isinstance(expected, str):
        return actual.lower() == expected.lower()
    return bool(actual == expected)


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    return value if isinstance(value, int | float) else None


def _close(actual: float, expected: float, precision: int) -> bool:
    half = 0.5 * 10**-precision
    return round(actual, precision) == round(expected, precision) or abs(actual - expected) <= half


def same_print(books: Books, rule: Rule) -> bool:
    """Both sheets show the same: compares NAME-SHEET.csv beside each workbook, but for blanks at
    the ends of lines and empty lines at the end."""
    actual, expected = (
        _printed_sheet(books.sheet(rule[key])) for key in ("sheet_idx0", "sheet_idx1")
    )
    if not expected.is_file():
        raise ValueError(f"the expected sheet was not printed: {expected.name}")
    return actual.is_file() and _lines(actual, rule) == _lines(expected, rule)


def _printed_sheet(sheet: Sheet) -> Path:
    path = sheet.book.path
    if "/" in sheet.name:
        raise NoSuchSheet(sheet.name)
    return path.with_name(f"{path.stem}-{sheet.name}.csv")


def _lines(path: Path, rule: Rule) -> list[list[str]]:
    text = "\n".join(line.strip() for line in decode_text(path).splitlines()).rstrip("\n")
    if rule.get("ignore_case", False):
        text = text.lower()
    return list(csv.reader(io.StringIO(text), strict=False))


def similar_ranges(books: Books, rule: Rule) -> bool:
    """Cells of both sheets are alike as `rules` say. Each of them has `range` (a list) and `type`:
    exact_match, includes (the expected text is within), included_by, fuzzy_match (`threshold` of
    100, by edits). Before that both texts go through `normalization` (pairs of words, the second
    for the first), `trim_leadings`, `trim_trailings`, `ignore_chars` (characters to leave out) and
    `ignore_case`."""
    actual, expected = (books.sheet(rule[key]).values for key in ("sheet_idx0", "sheet_idx1"))
    return all(
        _is_similar(
            cell_text(value_at(actual, *place)), cell_text(value_at(expected, *place)), part
        )
        for part in rule["rules"]
        for place in cell_positions(part["range"])
    )


def cell_positions(ranges: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Row and column of each cell. Raises ValueError for what is no range, or too large a one."""
    from openpyxl.worksheet.cell_range import CellRange

    for written in ranges:
        area = CellRange(written)
        if area.size["rows"] * area.size["columns"] > MAX_CELLS:
            raise ValueError(f"{written} has over {MAX_CELLS} cells")
        yield from area.cells


def _is_similar(actual: str, expected: str, rule: Rule) -> bool:
    kind = rule["type"]
    if kind not in _TESTS:
        raise ValueError(f"there is no comparison {kind!r} of ranges")
    actual, expected = _normal(actual, rule), _normal(expected, rule)
    if kind == "includes":
        return expected in actual
    if kind == "included_by":
        return actual in expected
    if kind == "fuzzy_match":
        return fuzz.ratio(actual, expected) >= float(rule.get("threshold", THRESHOLD))
    return actual == expected


def _normal(written: str, rule: Rule) -> str:
    for short, long in rule.get("normalization", ()):
        # Whole words: "St" in "Street" is no abbreviation of it.
        written = long.join(re.split(rf"(?<!\w){re.escape(short)}(?!\w)", written))
    written = written.lstrip(rule["trim_leadings"]) if "trim_leadings" in rule else written
    written = written.rstrip(rule["trim_trailings"]) if "trim_trailings" in rule else written
    ignored = rule.get("ignore_chars", "")
    written = "".join(letter for letter in written if letter not in ignored)
    return written.lower() if rule.get("ignore_case", False) else written
