"""Validations, filters and sparklines of a sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from openpyxl.worksheet.datavalidation import DataValidation

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH, Change, Scores
from tests.osworld.parity.workbooks import saved, written


def test_validations(tmp_path: Path) -> None:
    listed = {"type": {"method": "eq", "ref": "list"},
              "formula1": {"method": "str_set_eq", "ref": ["Pass", "Fail"]}}  # fmt: skip
    whole = {"type": {"method": "eq", "ref": "whole"}}
    good = {"type": "list", "formula1": '"Fail,Pass"'}

    def score(*added: dict[str, Any], props: Any = (listed,)) -> tuple[float, float]:
        def change(book: Any) -> None:
            for item in added:
                book.active.add_data_validation(DataValidation(sqref="D2:D9", **item))

        path = saved(tmp_path / "a.xlsx", change=change)
        rules = [{"type": "data_validation", "sheet_idx": 0, "dv_props": list(props)}]
        return compare_table(path, rules=rules), compare_table_compat(path, rules=rules)

    assert score(good) == (1, 1)
    assert score() == (0, 0)
    assert score({"type": "list", "formula1": '"Fail"'}) == (0, 0)
    assert score(good, good, props=(listed, whole)) == (0, 1)


def test_filters(tmp_path: Path) -> None:
    def filtered(*values: str, area: str = "A1:B4") -> Change:
        def change(sheet: Any) -> None:
            sheet.auto_filter.ref = area
            sheet.auto_filter.add_filter_column(0, list(values))

        return change

    score = Scores(tmp_path, "filter")
    assert score(filtered("Tea", "Milk"), filtered("Milk", "Tea")) == (1, 1)
    assert score(filtered("Tea"), filtered("Milk")) == (0, 0)
    assert score(filtered("Tea", area="$A$1:$B$4"), filtered("Tea")) == (1, 0)


def test_sparklines(tmp_path: Path) -> None:
    result, other = (
        written(tmp_path / f"{last}.xlsx",
                lambda _, sheet, n=last: sheet.add_sparkline("D2", {"range": f"Sheet1!B2:B{n}"}))
        for last in (3, 4)
    )  # fmt: skip
    rules = [{"type": "sparkline", **BOTH}]
    assert compare_table(result, result, rules=rules) == 1
    assert compare_table(result, other, rules=rules) == 0
