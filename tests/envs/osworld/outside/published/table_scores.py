"""Scores of one rule of `compare_table`, by our metric and as OSWorld gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_table
from tests.osworld.parity.workbooks import saved

BOTH = {"sheet_idx0": 0, "sheet_idx1": "EI0"}
Change = Callable[[Any], object]


def plain(sheet: Any) -> None:
    return None


class Scores:
    """Scores of one rule for two changes of the same workbook: ours, and OSWorld's."""

    def __init__(self, folder: Path, kind: str, **rule: Any) -> None:
        self._folder, self._rule = folder, {"type": kind, **BOTH, **rule}

    def __call__(self, result: Change, expected: Change, **more: Any) -> tuple[float, float]:
        paths = [
            saved(self._folder / f"{name}.xlsx", change=lambda book, c=change: c(book.active))
            for name, change in (("found", result), ("wanted", expected))
        ]
        rules = [self._rule | more]
        return compare_table(*paths, rules=rules), compare_table_compat(*paths, rules=rules)


def cell(place: str, value: Any) -> Change:
    return lambda sheet: setattr(sheet[place], "value", value)
