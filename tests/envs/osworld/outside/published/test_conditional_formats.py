"""Conditional formats count where they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.published.table import compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH
from tests.osworld.parity.workbooks import ROWS, written


@pytest.mark.parametrize(
    ("condition", "cells"),
    [
        ({"type": "cell", "criteria": ">", "value": 2}, ["B2", "B4"]),
        ({"type": "cell", "criteria": "=", "value": "=MAX($B$2:$B$4)"}, ["B4"]),
        ({"type": "formula", "criteria": "=B2=MAX($B$2:$B$4)"}, ["B4"]),
        ({"type": "formula", "criteria": '=$A2="Milk"'}, ["B3"]),
        ({"type": "formula", "criteria": "=WEEKDAY(B2)=3"}, ["B4"]),
        ({"type": "formula", "criteria": "=B2=LARGE(B:B,2)"}, ["B2"]),
        ({"type": "top", "value": 1}, ["B4"]),
        ({"type": "bottom", "value": 2}, ["B2", "B3"]),
        ({"type": "average", "criteria": "above"}, ["B2", "B4"]),
        ({"type": "unique"}, ["B2", "B3", "B4"]),
        ({"type": "duplicate"}, []),
        ({"type": "formula", "criteria": "=NOSUCH(B2)"}, []),
    ],
)
def test_conditional_formats_count_where_they_hold(
    tmp_path: Path, condition: dict[str, Any], cells: list[str]
) -> None:
    def conditional(book: Any, sheet: Any) -> None:
        look = book.add_format({"bg_color": "#FF0000"})
        sheet.conditional_format("B2:B4", {**condition, "format": look})

    def direct(book: Any, sheet: Any) -> None:
        for cell in cells:
            sheet.write(cell, ROWS[int(cell[1]) - 1][1], book.add_format({"bg_color": "#FF0000"}))

    result, expected = (
        written(tmp_path / "a.xlsx", conditional),
        written(tmp_path / "b.xlsx", direct),
    )
    rules = [{"type": "style", **BOTH, "props": ["bgcolor"]}]
    assert compare_table(result, expected, rules=rules) == 1
