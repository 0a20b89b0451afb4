"""Rules of `compare_table` about formatting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.views import Pane

from envs.osworld.outside.published.table import compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH, Change, Scores, plain
from tests.osworld.parity.workbooks import saved


def test_style(tmp_path: Path) -> None:
    def red(*cells: str, color: str = "FFFF0000") -> Change:
        def change(sheet: Any) -> None:
            for cell in cells:
                sheet[cell].fill = PatternFill("solid", fgColor=color)

        return change

    score = Scores(tmp_path, "style", props=["bgcolor"])
    assert score(red("A2"), red("A2")) == (1, 1)
    assert score(red("A2", "A3"), red("A2")) == (0, 0)
    assert score(red("A2", color="00FF0000"), red("A2")) == (1, 0)
    far: Change = lambda sheet: setattr(sheet["H20"], "font", Font(b=True))  # noqa: E731
    assert score(far, plain) == (1, 0)


def test_an_automatic_color_is_black(tmp_path: Path) -> None:
    automatic: Change = lambda sheet: setattr(sheet["A1"], "font", Font())  # noqa: E731
    score = Scores(tmp_path, "style", props=["font_color"])
    with pytest.raises(AttributeError):
        score(automatic, plain)
    paths = [tmp_path / f"{name}.xlsx" for name in ("found", "wanted")]
    rules = [{"type": "style", **BOTH, "props": ["font_color"]}]
    assert compare_table(*paths, rules=rules) == 1


def test_frozen_panes_wherever_they_are_scrolled_to(tmp_path: Path) -> None:
    frozen: Change = lambda sheet: setattr(sheet, "freeze_panes", "B2")  # noqa: E731

    def scroll(sheet: Any) -> None:
        sheet.sheet_view.pane = Pane(xSplit=1, ySplit=1, topLeftCell="D20", state="frozen")

    score = Scores(tmp_path, "freeze")
    assert score(frozen, frozen) == (1, 1)
    assert score(plain, frozen) == (0, 0)
    assert score(scroll, frozen) == (1, 0)


def test_zoom(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx")
    rule = {"type": "zoom", "sheet_idx": 0, "method": "lt", "ref": 101}
    assert compare_table(path, rules=[rule]) == 1
    assert compare_table(path, rules=[rule | {"ref": 100}]) == 0


def test_rows_and_columns(tmp_path: Path) -> None:
    def hidden(row: int, hide: bool = True) -> Change:
        def change(sheet: Any) -> None:
            sheet.row_dimensions[row].hidden, sheet.row_dimensions[row].height = hide, 15

        return change

    score = Scores(tmp_path, "row_props", props=["hidden"])
    assert score(hidden(2), hidden(2)) == (1, 1)
    assert score(hidden(2), hidden(3)) == (0, 0)
    assert score(hidden(9, hide=False), plain) == (1, 0)
    wide: Change = lambda sheet: setattr(sheet.column_dimensions["B"], "width", 30)  # noqa: E731
    score = Scores(tmp_path, "col_props", props=["width"])
    assert score(wide, wide) == (1, 1)
    assert score(wide, plain) == (0, 0)
