"""`compare_table` as OSWorld scores it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from envs.osworld.outside.compat.table import compare_table_compat


def save(path: Path, *rows: list[Any]) -> Path:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(path)
    return path


DATA = [{"type": "sheet_data", "sheet_idx0": "RI0", "sheet_idx1": "EI0"}]


def test_only_numbers_are_rounded(tmp_path: Path) -> None:
    gold = save(tmp_path / "gold.xlsx", ["Name", "Value"], ["a", 1.5])
    near = save(tmp_path / "near.xlsx", ["Name", "Value"], ["a", 1.50001])
    other = save(tmp_path / "other.xlsx", ["Name", "Value"], ["b", 1.5])
    assert compare_table_compat(near, gold, rules=DATA) == 1
    assert compare_table_compat(other, gold, rules=DATA) == 0


def test_the_first_row_names_the_columns_and_is_not_rounded(tmp_path: Path) -> None:
    gold = save(tmp_path / "gold.xlsx", [1.0], [2.0])
    near = save(tmp_path / "near.xlsx", [1.00001], [2.0])
    assert compare_table_compat(near, gold, rules=DATA) == 0


def test_a_result_that_is_no_workbook_scores_0(tmp_path: Path) -> None:
    gold = save(tmp_path / "gold.xlsx", ["a"])
    (tmp_path / "no.xlsx").write_text("no")
    assert compare_table_compat(tmp_path / "no.xlsx", gold, rules=DATA) == 0


def test_an_unknown_rule_is_an_error(tmp_path: Path) -> None:
    gold = save(tmp_path / "gold.xlsx", ["a"])
    with pytest.raises(KeyError):
        compare_table_compat(gold, gold, rules=[{"type": "no_rule"}])
