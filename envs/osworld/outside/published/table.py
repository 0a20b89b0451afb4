"""OSWorld's metrics of workbooks: `compare_table`, by rules, and a list of cities.

Guarantees: a file that is no workbook scores 0; so does one without a sheet that a rule names. The
parts of a rule are documented where it is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.osworld.format.sheet_cells import filled_cells
from envs.osworld.outside.published import table_cells, table_formatting, table_objects
from envs.osworld.outside.published.workbook import Book, Books, NoSuchSheet

Rule = Mapping[str, Any]
RULES: dict[str, Callable[[Books, Rule], bool]] = {
    "sheet_name": table_cells.same_names,
    "sheet_data": table_cells.same_data,
    "sheet_print": table_cells.same_print,
    "sheet_fuzzy": table_cells.similar_ranges,
    "check_cell": table_formatting.cell_fulfils,
    "style": table_formatting.same_style,
    "freeze": table_formatting.same_freeze,
    "zoom": table_formatting.zoom_fulfils,
    "row_props": table_formatting.same_rows,
    "col_props": table_formatting.same_columns,
    "chart": table_objects.same_charts,
    "sparkline": table_objects.same_sparklines,
    "data_validation": table_objects.validations_fulfil,
    "filter": table_objects.same_filter,
    "pivot_table": table_objects.same_pivots,
}
CITY_COLUMN, FIRST_CITY = 3, 2


def compare_table(
    result: Path | Sequence[Path],
    expected: Path | Sequence[Path] | None = None,
    *,
    rules: Sequence[Rule],
) -> float:
    """1 when every rule holds. Of several files the first is the workbook; others are its sheets,
    printed beside it."""
    unknown = {str(rule["type"]) for rule in rules} - RULES.keys()
    if unknown:
        raise ValueError(f"there is no rule {', '.join(sorted(unknown))}")
    book = open_workbook(_workbook(result))
    if book is None:
        return 0.0
    books = Books(book, None if expected is None else Book(_workbook(expected)))
    try:
        return float(all(RULES[rule["type"]](books, rule) for rule in rules))
    except NoSuchSheet:
        return 0.0


def compare_conference_city_in_order(
    result: Path, rules: Mapping[str, Sequence[str | Sequence[str]]]
) -> float:
    """1 when column C of the active sheet, from row 2, names the cities of `expected` in their
    order; where several names are given, one of them."""
    book = open_workbook(result)
    if book is None or book.formulas.active.title not in book.names:
        return 0.0
    cells = filled_cells(book.values[book.formulas.active.title])
    return float(
        all(
            any(_names(str(cells.get((row, CITY_COLUMN), "")), name) for name in _as_list(names))
            for row, names in enumerate(rules["expected"], FIRST_CITY)
        )
    )


def compare_conference_city_in_order_compat(
    result: Path, rules: Mapping[str, Sequence[str | Sequence[str]]]
) -> float:
    """Just 21 cities, whose names may be part of another word. Raises what reading raises."""
    sheet, expected = Book(result).formulas.active, rules["expected"]
    cities = [row[0].value for row in sheet["C2:C22"]]
    if len(expected) < len(cities):
        return 0.0
    return float(all(_has_part(*pair) for pair in zip(cities, expected, strict=False)))


def _workbook(files: Path | Sequence[Path]) -> Path:
    return files if isinstance(files, Path) else files[0]


def open_workbook(path: Path) -> Book | None:
    """None for what is no workbook."""
    book = Book(path)
    try:
        return book if book.formulas and book.values else None
    except MemoryError:
        # A workbook too large for the judge says nothing about the agent.
        raise
    except Exception:
        # Of a broken workbook openpyxl raises errors of almost any kind.
        return None


def _names(text: str, city: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(city)}(?!\w)", text) is not None


def _has_part(text: Any, names: str | Sequence[str]) -> bool:
    return isinstance(text, str) and any(name in text for name in _as_list(names))


def _as_list(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names
