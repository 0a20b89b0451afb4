"""OSWorld's metrics of workbooks: `compare_table`, by rules, and a list of cities.

Guarantees: a file that is no workbook scores 0; so does one without a sheet that a rule names. The
parts of a rule are documented where it is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.verify.osworld import table_cells, table_looks, table_objects
from envs.verify.osworld.workbook import Book, Books, NoSuchSheet, cells
from envs.verify.registry import compat, metric

Rule = Mapping[str, Any]
RULES: dict[str, Callable[[Books, Rule], bool]] = {
    "sheet_name": table_cells.same_names,
    "sheet_data": table_cells.same_data,
    "sheet_print": table_cells.same_print,
    "sheet_fuzzy": table_cells.alike_ranges,
    "check_cell": table_looks.cell_fulfils,
    "style": table_looks.same_style,
    "freeze": table_looks.same_freeze,
    "zoom": table_looks.zoom_fulfils,
    "row_props": table_looks.same_rows,
    "col_props": table_looks.same_columns,
    "chart": table_objects.same_charts,
    "sparkline": table_objects.same_sparklines,
    "data_validation": table_objects.validations_fulfil,
    "filter": table_objects.same_filter,
    "pivot_table": table_objects.same_pivots,
}
CITY_COLUMN, FIRST_CITY = 3, 2


@metric
def compare_table(result: Path, expected: Path | None = None, *, rules: Sequence[Rule]) -> float:
    """1 when every rule holds."""
    unknown = {str(rule["type"]) for rule in rules} - RULES.keys()
    if unknown:
        raise ValueError(f"there is no rule {', '.join(sorted(unknown))}")
    found = opened(result)
    if found is None:
        return 0.0
    books = Books(found, None if expected is None else Book(expected))
    try:
        return float(all(RULES[rule["type"]](books, rule) for rule in rules))
    except NoSuchSheet:
        return 0.0


@metric
def compare_conference_city_in_order(
    result: Path, rules: Mapping[str, Sequence[str | Sequence[str]]]
) -> float:
    """1 when column C of the active sheet, from row 2, names the cities of `expected` in their
    order; where several names are given, one of them."""
    book = opened(result)
    if book is None or book.written.active.title not in book.names:
        return 0.0
    found = cells(book.values[book.written.active.title])
    return float(
        all(
            any(_names(str(found.get((row, CITY_COLUMN), "")), name) for name in _listed(names))
            for row, names in enumerate(rules["expected"], FIRST_CITY)
        )
    )


@compat
def compare_conference_city_in_order_compat(
    result: Path, rules: Mapping[str, Sequence[str | Sequence[str]]]
) -> float:
    """Just 21 cities, whose names may be part of another word. Raises what reading raises."""
    sheet, wanted = Book(result).written.active, rules["expected"]
    found = [row[0].value for row in sheet["C2:C22"]]
    if len(wanted) < len(found):
        return 0.0
    return float(all(_has_part(*one) for one in zip(found, wanted, strict=False)))


def opened(path: Path) -> Book | None:
    """None for what is no workbook."""
    book = Book(path)
    try:
        return book if book.written and book.values else None
    except MemoryError:
        # A workbook too large for the judge says nothing about the agent.
        raise
    except Exception:
        # Of a broken workbook openpyxl raises errors of almost any kind.
        return None


def _names(text: str, city: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(city)}(?!\w)", text) is not None


def _has_part(text: Any, names: str | Sequence[str]) -> bool:
    return isinstance(text, str) and any(name in text for name in _listed(names))


def _listed(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names
