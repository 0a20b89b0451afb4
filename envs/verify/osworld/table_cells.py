"""Rules of `compare_table` about what cells hold."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from envs.verify.osworld.csv_files import decoded
from envs.verify.osworld.workbook import Books, NoSuchSheet, Sheet, cells, plain, value_at

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
    found, wanted = (cells(books.sheet(rule[key]).values) for key in ("sheet_idx0", "sheet_idx1"))
    precision, ignore_case = rule.get("precision", PRECISION), rule.get("ignore_case", False)
    return found.keys() == wanted.keys() and all(
        same_value(found[place], value, precision, ignore_case) for place, value in wanted.items()
    )


def same_value(found: Any, wanted: Any, precision: int, ignore_case: bool = False) -> bool:
    """True is no number. Numbers are the same that round to the same, or differ by no more than
    half of the last decimal; one of them may be kept as text, as it reads (so not as "007")."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, int | float) or isinstance(wanted, int | float):
        numbers = _number(found), _number(wanted)
        return None not in numbers and _close(*numbers, precision)  # type: ignore[arg-type]
    if ignore_case and isinstance(found, str) and isinstance(wanted, str):
        return found.lower() == wanted.lower()
    return bool(found == wanted)


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    return value if isinstance(value, int | float) else None


def _close(found: float, wanted: float, precision: int) -> bool:
    half = 0.5 * 10**-precision
    return round(found, precision) == round(wanted, precision) or abs(found - wanted) <= half


def same_print(books: Books, rule: Rule) -> bool:
    """Both sheets show the same: compares NAME-SHEET.csv beside each workbook, but for blanks at
    the ends of lines and empty lines at the end."""
    found, wanted = (_printed(books.sheet(rule[key])) for key in ("sheet_idx0", "sheet_idx1"))
    if not wanted.is_file():
        raise ValueError(f"the expected sheet was not printed: {wanted.name}")
    return found.is_file() and _lines(found, rule) == _lines(wanted, rule)


def _printed(sheet: Sheet) -> Path:
    path = sheet.book.path
    if "/" in sheet.name:
        raise NoSuchSheet(sheet.name)
    return path.with_name(f"{path.stem}-{sheet.name}.csv")


def _lines(path: Path, rule: Rule) -> list[list[str]]:
    text = "\n".join(line.strip() for line in decoded(path).splitlines()).rstrip("\n")
    if rule.get("ignore_case", False):
        text = text.lower()
    return list(csv.reader(io.StringIO(text), strict=False))


def alike_ranges(books: Books, rule: Rule) -> bool:
    """Cells of both sheets are alike as `rules` say. Each of them has `range` (a list) and `type`:
    exact_match, includes (the expected text is within), included_by, fuzzy_match (`threshold` of
    100, by edits). Before that both texts go through `normalization` (pairs of words, the second
    for the first), `trim_leadings`, `trim_trailings`, `ignore_chars` (characters to leave out) and
    `ignore_case`."""
    found, wanted = (books.sheet(rule[key]).values for key in ("sheet_idx0", "sheet_idx1"))
    return all(
        _alike(text(value_at(found, *place)), text(value_at(wanted, *place)), part)
        for part in rule["rules"]
        for place in places(part["range"])
    )


def places(ranges: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Row and column of each cell. Raises ValueError for what is no range, or too large a one."""
    from openpyxl.worksheet.cell_range import CellRange

    for written in ranges:
        area = CellRange(written)
        if area.size["rows"] * area.size["columns"] > MAX_CELLS:
            raise ValueError(f"{written} has over {MAX_CELLS} cells")
        yield from area.cells


def text(value: Any) -> str:
    """Empty for a blank cell; 3 for 3.0."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).upper() if isinstance(value, bool) else str(value)


def _alike(found: str, wanted: str, rule: Rule) -> bool:
    kind = rule["type"]
    if kind not in _TESTS:
        raise ValueError(f"there is no comparison {kind!r} of ranges")
    found, wanted = _normal(found, rule), _normal(wanted, rule)
    if kind == "includes":
        return wanted in found
    if kind == "included_by":
        return found in wanted
    if kind == "fuzzy_match":
        return fuzz.ratio(found, wanted) >= float(rule.get("threshold", THRESHOLD))
    return found == wanted


def _normal(written: str, rule: Rule) -> str:
    for short, long in rule.get("normalization", ()):
        # Whole words: "St" in "Street" is no abbreviation of it.
        written = long.join(re.split(rf"(?<!\w){re.escape(short)}(?!\w)", written))
    written = written.lstrip(rule["trim_leadings"]) if "trim_leadings" in rule else written
    written = written.rstrip(rule["trim_trailings"]) if "trim_trailings" in rule else written
    ignored = rule.get("ignore_chars", "")
    written = "".join(letter for letter in written if letter not in ignored)
    return written.lower() if rule.get("ignore_case", False) else written
