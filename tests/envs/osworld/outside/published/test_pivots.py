"""Pivot tables are compared by names."""

from __future__ import annotations

from pathlib import Path

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_table
from tests.osworld.parity.workbooks import pivoted


def test_pivot_tables_go_by_names(tmp_path: Path) -> None:
    rule = {"type": "pivot_table", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2",
            "pivot_props": ["row_fields", "data_fields", "filter"]}  # fmt: skip
    hidden = pivoted(tmp_path / "a.xlsx", hidden="Tea")
    turned = pivoted(tmp_path / "b.xlsx", hidden="Tea", turned=True)
    another = pivoted(tmp_path / "c.xlsx", hidden="Rice", turned=True)
    assert compare_table(hidden, hidden, rules=[rule]) == 1
    assert compare_table(hidden, turned, rules=[rule]) == 1
    assert compare_table(hidden, another, rules=[rule]) == 0
    assert compare_table_compat(hidden, turned, rules=[rule]) == 0
    assert compare_table_compat(hidden, another, rules=[rule]) == 1
