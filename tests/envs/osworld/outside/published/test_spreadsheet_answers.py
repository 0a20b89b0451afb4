"""The metric of answers in cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.spreadsheet_answers import compare_spreadsheet
from tests.osworld.parity.workbooks import saved


def test_answers_in_cells(tmp_path: Path) -> None:
    gold = saved(tmp_path / "gold.xlsx", [["A", 1.234, None], ["B", 2, "x"]])
    result = saved(tmp_path / "found.xlsx", [["other", 1.2341, ""], ["B", "2", "x"]])
    for position in ("B1:C2", "'Sheet1'!B1:C2", "Sheet1'!B1:C2", "'Sheet1!B1','Sheet1!C1:C2'"):
        assert compare_spreadsheet(result, gold, position, "Cell-Level Manipulation") == 1
    assert compare_spreadsheet(result, gold, "A1:B1") == 0
    with pytest.raises(ValueError, match="no sheet 'Sheet9'"):
        compare_spreadsheet(result, gold, "'Sheet9'!A1")
    (tmp_path / "no.xlsx").write_text("A,1.234")
    assert compare_spreadsheet(tmp_path / "no.xlsx", gold, "A1") == 0
