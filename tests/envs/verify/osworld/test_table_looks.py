"""Rules of `compare_table` about looks, and about what lies on a sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.views import Pane

from envs.verify.osworld.table import compare_table
from envs.verify.osworld.table_compat import compare_table_compat
from tests.envs.verify.osworld.table_scores import BOTH, Change, Scores, plain
from tests.osworld.parity.workbooks import ROWS, pivoted, saved, written


def test_style(tmp_path: Path) -> None:
    def red(*cells: str, color: str = "FFFF0000") -> Change:
        def change(sheet: Any) -> None:
            for one in cells:
                sheet[one].fill = PatternFill("solid", fgColor=color)

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
        for one in cells:
            sheet.write(one, ROWS[int(one[1]) - 1][1], book.add_format({"bg_color": "#FF0000"}))

    found, wanted = written(tmp_path / "a.xlsx", conditional), written(tmp_path / "b.xlsx", direct)
    rules = [{"type": "style", **BOTH, "props": ["bgcolor"]}]
    assert compare_table(found, wanted, rules=rules) == 1


def test_frozen_panes_wherever_they_are_scrolled_to(tmp_path: Path) -> None:
    frozen: Change = lambda sheet: setattr(sheet, "freeze_panes", "B2")  # noqa: E731

    def scrolled(sheet: Any) -> None:
        sheet.sheet_view.pane = Pane(xSplit=1, ySplit=1, topLeftCell="D20", state="frozen")

    score = Scores(tmp_path, "freeze")
    assert score(frozen, frozen) == (1, 1)
    assert score(plain, frozen) == (0, 0)
    assert score(scrolled, frozen) == (1, 0)


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


def test_charts(tmp_path: Path) -> None:
    def charted(kind: Any, last: int = 4, width: float = 15) -> Change:
        def change(sheet: Any) -> None:
            chart = kind()
            values, names = (Reference(sheet, c, 2, c, last) for c in (2, 1))
            chart.append(Series(values, names) if kind is ScatterChart else Series(values))
            chart.width = width
            sheet.add_chart(chart, "D2")

        return change

    score = Scores(tmp_path, "chart", chart_props=["type"])
    assert score(charted(BarChart), charted(BarChart)) == (1, 1)
    assert score(charted(BarChart, 3), charted(BarChart)) == (0, 0)
    assert score(plain, charted(BarChart)) == (0, 0)
    assert score(charted(ScatterChart, 3), charted(ScatterChart)) == (0, 1)
    wider = score(charted(BarChart, width=20), charted(BarChart), chart_props=["width"])
    assert wider == (0, 1)
    with pytest.raises(ValueError, match="no property beauty"):
        score(plain, plain, chart_props=["beauty"])


def test_each_chart_counts_with_the_direction_it_has(tmp_path: Path) -> None:
    def charted(*kinds: Any) -> Change:
        def change(sheet: Any) -> None:
            for kind in kinds:
                chart = kind()
                chart.add_data(Reference(sheet, 2, 2, 2, 4))
                sheet.add_chart(chart, "D2")

        return change

    score = Scores(tmp_path, "chart", chart_props=["type"])
    assert score(charted(BarChart, BarChart), charted(BarChart)) == (0, 1)
    paths = [
        saved(tmp_path / "lines.xlsx", change=lambda book: charted(LineChart)(book.active))
    ] * 2
    rules = [{"type": "chart", **BOTH, "chart_props": ["direction"]}]
    assert compare_table(*paths, rules=rules) == 1
    with pytest.raises(AttributeError):
        compare_table_compat(*paths, rules=rules)


def test_a_sheet_that_there_is_not_has_no_charts_either(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.xlsx")
    two = saved(tmp_path / "two.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    rules = [{"type": "chart", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}]
    assert compare_table(two, two, rules=rules) == 1
    assert compare_table(one, two, rules=rules) == 0
    assert compare_table_compat(one, two, rules=rules) == 1


def test_validations(tmp_path: Path) -> None:
    listed = {"type": {"method": "eq", "ref": "list"},
              "formula1": {"method": "str_set_eq", "ref": ["Pass", "Fail"]}}  # fmt: skip
    whole = {"type": {"method": "eq", "ref": "whole"}}
    good = {"type": "list", "formula1": '"Fail,Pass"'}

    def score(*added: dict[str, Any], props: Any = (listed,)) -> tuple[float, float]:
        def change(book: Any) -> None:
            for one in added:
                book.active.add_data_validation(DataValidation(sqref="D2:D9", **one))

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
    found, other = (
        written(tmp_path / f"{last}.xlsx",
                lambda _, sheet, n=last: sheet.add_sparkline("D2", {"range": f"Sheet1!B2:B{n}"}))
        for last in (3, 4)
    )  # fmt: skip
    rules = [{"type": "sparkline", **BOTH}]
    assert compare_table(found, found, rules=rules) == 1
    assert compare_table(found, other, rules=rules) == 0


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
