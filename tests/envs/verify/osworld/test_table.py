"""`compare_table`, rule by rule: right, wrong, and where OSWorld's own scores otherwise."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.views import Pane

from envs.verify.osworld.spreadsheet_answers import compare_spreadsheet
from envs.verify.osworld.table import compare_conference_city_in_order, compare_table
from envs.verify.osworld.table_compat import compare_table_compat
from tests.osworld.parity.workbooks import ROWS, pivoted, renumbered, saved, written

BOTH = {"sheet_idx0": 0, "sheet_idx1": "EI0"}
Change = Callable[[Any], object]


def plain(sheet: Any) -> None:
    return None


class Scores:
    """Scores of one rule for two changes of the same workbook: ours, and OSWorld's."""

    def __init__(self, folder: Path, kind: str, **rule: Any) -> None:
        self._folder, self._rule = folder, {"type": kind, **BOTH, **rule}

    def __call__(self, found: Change, wanted: Change, **more: Any) -> tuple[float, float]:
        paths = [
            saved(self._folder / f"{name}.xlsx", change=lambda book, c=change: c(book.active))
            for name, change in (("found", found), ("wanted", wanted))
        ]
        rules = [self._rule | more]
        return compare_table(*paths, rules=rules), compare_table_compat(*paths, rules=rules)


def cell(place: str, value: Any) -> Change:
    return lambda sheet: setattr(sheet[place], "value", value)


def test_data(tmp_path: Path) -> None:
    score = Scores(tmp_path, "sheet_data")
    assert score(plain, plain) == (1, 1)
    assert score(cell("B2", 2.500001), plain) == (1, 1)
    assert score(cell("B2", 2.6), plain) == (0, 0)
    assert score(cell("C9", 1), plain) == (0, 0)
    assert score(cell("B2", 2.52), plain, precision=1) == (1, 1)
    assert score(cell("A2", "TEA"), plain) == (0, 0)


def test_data_in_any_case_where_the_rule_says_so(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data", ignore_case=True)(cell("A2", "TEA"), plain) == (1, 0)


def test_numbers_are_rounded_in_any_column(tmp_path: Path) -> None:
    score = Scores(tmp_path, "sheet_data")
    assert score(cell("A9", 3.00000001), cell("A9", 3)) == (1, 0)
    whole: Change = lambda sheet: [cell(f"B{row}", row)(sheet) for row in (2, 3, 4)]  # noqa: E731
    nearly: Change = lambda sheet: [whole(sheet), cell("B3", 3.00000001)(sheet)]  # noqa: E731
    assert score(nearly, whole) == (1, 0)


def test_not_available_is_not_blank(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data")(plain, cell("C2", "NA")) == (0, 0)
    headed: Change = lambda sheet: cell("C1", "Note")(sheet)  # noqa: E731
    noted: Change = lambda sheet: [headed(sheet), cell("C2", "NA")(sheet)]  # noqa: E731
    assert Scores(tmp_path, "sheet_data")(headed, noted) == (0, 1)


def test_a_padded_number_is_another_text(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data")(cell("B2", "02.5"), plain) == (0, 1)
    assert Scores(tmp_path, "sheet_data")(cell("B2", "2.5"), plain) == (1, 1)


def test_dates_and_truths(tmp_path: Path) -> None:
    score, day = Scores(tmp_path, "sheet_data"), datetime.datetime(2024, 1, 2)
    assert score(cell("C2", day), cell("C2", day))[0] == 1
    assert score(cell("C2", day), cell("C2", day + datetime.timedelta(1)))[0] == 0
    assert score(cell("C2", True), cell("C2", 1))[0] == 0


def test_names_of_sheets_and_what_is_no_workbook(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.xlsx")
    two = saved(tmp_path / "two.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    names = [{"type": "sheet_name"}]
    assert compare_table(two, two, rules=names) == 1
    assert compare_table(one, two, rules=names) == 0
    second = [{"type": "sheet_data", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}]
    assert compare_table(one, two, rules=second) == 0
    with pytest.raises(ValueError, match="no sheet 'ENSheet2'"):
        compare_table(two, one, rules=second)
    with pytest.raises(ValueError, match="names no sheet"):
        compare_table(two, one, rules=[{"type": "freeze", "sheet_idx0": "X", "sheet_idx1": 0}])
    with pytest.raises(ValueError, match="no rule beauty"):
        compare_table(one, one, rules=[{"type": "beauty"}])
    for content in (b"", b"PK\x03\x04 and no more", b"Name,Price\n"):
        (tmp_path / "no.xlsx").write_bytes(content)
        assert compare_table(tmp_path / "no.xlsx", one, rules=names) == 0


def test_a_result_without_the_second_sheet_scores_0(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.xlsx")
    rules = [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": 1}]
    assert compare_table(one, one, rules=rules) == 0
    with pytest.raises(AttributeError):
        compare_table_compat(one, one, rules=rules)


def test_printed_values(tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{name}.xlsx") for name in ("found", "wanted")]
    rules = [{"type": "sheet_print", **BOTH}]
    (tmp_path / "wanted-Sheet1.csv").write_text("Id\n0007\n")
    assert compare_table(*paths, rules=rules) == 0
    (tmp_path / "found-Sheet1.csv").write_text('"Id" \n0007\n\n')
    assert compare_table(*paths, rules=rules) == 1
    assert compare_table_compat(*paths, rules=rules) == 0
    (tmp_path / "found-Sheet1.csv").write_text("Id\n7\n")
    assert compare_table(*paths, rules=rules) == 0


def test_fuzzy_ranges(tmp_path: Path) -> None:
    def score(found: Any, wanted: Any, kind: str, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": kind, **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(cell("A2", found), cell("A2", wanted))

    assert score("12 Mill Rd", "12 mil rd", "fuzzy_match", ignore_case=True) == (1, 1)
    assert score("12 Mill Rd", "Oak Lane", "fuzzy_match") == (0, 0)
    assert score("(555) 12", "55512", "includes", ignore_chars=" ()") == (1, 1)
    assert score("555", "55512", "included_by") == (1, 1)
    with pytest.raises(ValueError, match="no comparison 'like'"):
        score("a", "b", "like")


def test_fuzzy_values_as_they_read(tmp_path: Path) -> None:
    def score(found: Any, wanted: Any, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": "exact_match", **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(cell("A2", found), cell("A2", wanted))

    assert score("3", 3) == (1, 0)
    assert score("None", None) == (0, 1)
    assert score(True, False) == (0, 1)
    words = {"normalization": [["St", "Street"]]}
    assert score("2 Main St", "2 Main Street", **words) == (1, 0)


def test_single_cells(tmp_path: Path) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_formula("C2", "=B2*2", None, 5)
        sheet.merge_range("A6:B6", "Total", book.add_format({"bold": True, "bg_color": "#0000FF"}))

    path = written(tmp_path / "a.xlsx", fill)

    def score(place: str, prop: str, method: str, ref: Any) -> float:
        props = {prop: {"method": method, "ref": ref}}
        rule = {"type": "check_cell", "sheet_idx": 0, "coordinate": place, "props": props}
        return compare_table(path, rules=[rule])

    assert score("C2", "value", "approx:0.1", 5.05) == 1
    assert score("C2", "value", "re", "5") == 0
    assert score("B6", "merge", "eq", True) == 1
    assert score("A6", "bgcolor", "eq", "FF0000FF") == 1
    assert score("A6", "font_color", "eq", "FF000000") == 1
    assert score("ZZ99", "value", "eq", "x") == 0
    with pytest.raises(ValueError, match="no property 'beauty'"):
        score("A6", "beauty", "eq", 1)


def test_a_sheet_is_found_whatever_its_id(tmp_path: Path) -> None:
    path = renumbered(saved(tmp_path / "a.xlsx"))
    props = {"value": {"method": "eq", "ref": "Name"}}
    rules = [{"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": props}]
    assert compare_table(path, rules=rules) == 1
    assert compare_table_compat(path, rules=rules) == 0


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


def test_cities(tmp_path: Path) -> None:
    rows = [["Year", "What", "City"], [2012, "X", "Lake Tahoe"], [2013, "X", "LAS VEGAS"]]
    path = saved(tmp_path / "a.xlsx", rows)
    right = {"expected": [["Stateline", "Lake Tahoe"], "LAS VEGAS"]}
    assert compare_conference_city_in_order(path, right) == 1
    assert compare_conference_city_in_order(path, {"expected": right["expected"][::-1]}) == 0
    assert compare_conference_city_in_order(path, {"expected": ["Lake Tahoe", "LA"]}) == 0
    (tmp_path / "b.xlsx").write_text("City")
    assert compare_conference_city_in_order(tmp_path / "b.xlsx", right) == 0


def test_answers_in_cells(tmp_path: Path) -> None:
    gold = saved(tmp_path / "gold.xlsx", [["A", 1.234, None], ["B", 2, "x"]])
    found = saved(tmp_path / "found.xlsx", [["other", 1.2341, ""], ["B", "2", "x"]])
    for position in ("B1:C2", "'Sheet1'!B1:C2", "Sheet1'!B1:C2", "'Sheet1!B1','Sheet1!C1:C2'"):
        assert compare_spreadsheet(found, gold, position, "Cell-Level Manipulation") == 1
    assert compare_spreadsheet(found, gold, "A1:B1") == 0
    with pytest.raises(ValueError, match="no sheet 'Sheet9'"):
        compare_spreadsheet(found, gold, "'Sheet9'!A1")
    (tmp_path / "no.xlsx").write_text("A,1.234")
    assert compare_spreadsheet(tmp_path / "no.xlsx", gold, "A1") == 0


def test_a_cell_at_the_far_end_costs_no_more(tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / f"{n}.xlsx", change=lambda book: cell("XFD1048576", "end")(book.active))
        for n in range(2)
    ]
    for kind in ("sheet_data", "style", "col_props"):
        assert compare_table(*paths, rules=[{"type": kind, **BOTH, "props": []}]) == 1
