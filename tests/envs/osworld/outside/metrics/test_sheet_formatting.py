"""How sheets look: each aspect is noticed, and nothing else is overlooked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, PieChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from envs.osworld.outside.metrics.sheet_formatting import (
    number_style,
    workbook_looks,
    workbook_shows,
)

RED = PatternFill("solid", fgColor="FFFF0000")
Change = Callable[[Any], object]


def written(path: Path, *changes: Change) -> Path:
    """A workbook with the sheets Data and Rest, and the changes made to Data."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Data"
    for row in (["Item", "Amount"], ["Pens", 3.5], ["Tape", 7]):
        sheet.append(row)
    book.create_sheet("Rest")
    for change in changes:
        change(sheet)
    book.save(path)
    return path


def bold(sheet: Any) -> None:
    for cell in sheet["A1:B1"][0]:
        cell.font = Font(bold=True)


def money(sheet: Any) -> None:
    for (cell,) in sheet["B2:B3"]:
        cell.number_format = "[$$-409]#,##0.00;[RED]-[$$-409]#,##0.00"


def chart(kind: type[Any], title: str = "Costs") -> Change:
    def draw(sheet: Any) -> None:
        made = kind()
        made.title = title
        made.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
        made.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
        sheet.add_chart(made, "D2")

    return draw


def drop_down(sheet: Any) -> None:
    rule = DataValidation(type="list", formula1='"Yes,No"')
    rule.add("C2:C3")
    sheet.add_data_validation(rule)


def highlight(sheet: Any) -> None:
    sheet.conditional_formatting.add(
        "B2:B3", CellIsRule("greaterThan", ["4"], fill=PatternFill(bgColor="FFFF0000"))
    )


COLUMN_CHART = {"kind": "column", "title": "Costs", "values": ["Data!B2:B3"],
                "categories": "Data!A2:A3"}  # fmt: skip
CASES: dict[str, tuple[Change, dict[str, Any], dict[str, Any]]] = {
    "bold": (bold, {"bold": {"A1:B1": True}}, {"bold": {"A1:C1": True}}),
    "italic": (lambda s: setattr(s["A2"], "font", Font(italic=True)),
               {"italic": {"A2": True}}, {"italic": {"A3": True}}),
    "color": (lambda s: setattr(s["A2"], "font", Font(color="FF0000FF")),
              {"color": {"A2": "0000FF"}}, {"color": {"A2": "FF0000"}}),
    "fill": (lambda s: setattr(s["A2"], "fill", RED),
             {"fill": {"A2": "FF0000"}}, {"fill": {"A2": "FFFF00"}}),
    "align": (lambda s: setattr(s["A1"], "alignment", Alignment(horizontal="center")),
              {"align": {"A1": "center"}}, {"align": {"A1": "right"}}),
    "format": (money, {"format": {"B2:B3": "$#,##0.00"}}, {"format": {"B2:B3": "$#,##0"}}),
    "merged": (lambda s: s.merge_cells("A5:B5"), {"merged": ["A5:B5"]}, {"merged": ["A5:C5"]}),
    "hidden_rows": (lambda s: setattr(s.row_dimensions[2], "hidden", True),
                    {"hidden_rows": [2]}, {"hidden_rows": [3]}),
    "hidden_columns": (lambda s: setattr(s.column_dimensions["B"], "hidden", True),
                       {"hidden_columns": ["B"]}, {"hidden_columns": ["A"]}),
    "filter": (lambda s: setattr(s.auto_filter, "ref", "A1:B3"),
               {"filter": "A1:B3"}, {"filter": "A1:A3"}),
    "freeze": (lambda s: setattr(s, "freeze_panes", "A2"), {"freeze": "A2"}, {"freeze": "B2"}),
    "widths": (lambda s: setattr(s.column_dimensions["A"], "width", 25.54),
               {"widths": {"A": 5}}, {"widths": {"A": 4}}),
    "tab": (lambda s: setattr(s.sheet_properties, "tabColor", "FFFF0000"),
            {"tab": "FF0000"}, {"tab": "00FF00"}),
    "protected": (lambda s: s.protection.enable(), {"protected": True}, {"protected": False}),
    "comments": (lambda s: setattr(s["A2"], "comment", Comment("hm", "me")),
                 {"comments": {"A2": "hm"}}, {"comments": {"A2": "aha"}}),
    "links": (lambda s: setattr(s["A2"], "hyperlink", "https://a.example/"),
              {"links": {"A2": "https://a.example/"}}, {"links": {"A2": "https://b.example/"}}),
    "conditions": (highlight, {"conditions": [["B2:B3", "greaterThan", ["4"], "FF0000"]]},
                   {"conditions": [["B2:B3", "greaterThan", ["5"], "FF0000"]]}),
    "validations": (drop_down, {"validations": [["C2:C3", "list", None, '"Yes,No"', None]]},
                    {"validations": [["C2:C3", "list", None, '"Yes"', None]]}),
    "column chart": (chart(BarChart), {"charts": [COLUMN_CHART]},
                     {"charts": [COLUMN_CHART | {"title": "Cost"}]}),
    "line chart": (chart(LineChart), {"charts": [COLUMN_CHART | {"kind": "line"}]},
                   {"charts": [COLUMN_CHART]}),
    "pie chart": (chart(PieChart), {"charts": [COLUMN_CHART | {"kind": "pie"}]},
                  {"charts": [COLUMN_CHART | {"kind": "pie", "values": ["Data!B1:B3"]}]}),
}  # fmt: skip


def test_a_plain_workbook_looks_plain(tmp_path: Path) -> None:
    assert workbook_looks(written(tmp_path / "a.xlsx"), {}) == 1


@pytest.mark.parametrize("aspect", CASES)
def test_an_aspect_must_be_just_as_asked(tmp_path: Path, aspect: str) -> None:
    change, right, wrong = CASES[aspect]
    path = written(tmp_path / "a.xlsx", change)
    assert workbook_looks(path, {"Data": right}) == 1
    assert workbook_looks(path, {"Data": wrong}) == 0
    assert workbook_looks(path, {}) == 0, "nobody asked for it"
    assert workbook_looks(path, {"Rest": right}) == 0, "it is on another sheet"


def test_a_further_change_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", bold, money)
    assert workbook_looks(path, {"Data": CASES["bold"][1]}) == 0
    assert workbook_shows(path, {"Data": CASES["bold"][1]}) == 1


def test_a_hidden_sheet_is_noticed(tmp_path: Path) -> None:
    def hide(sheet: Any) -> None:
        sheet.parent["Rest"].sheet_state = "hidden"

    path = written(tmp_path / "a.xlsx", hide)
    assert workbook_looks(path, {}) == 0
    assert workbook_looks(path, {"Rest": {"state": "hidden"}}) == 1


def test_a_misspelt_aspect_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="blod"):
        workbook_looks(written(tmp_path / "a.xlsx"), {"Data": {"blod": {}}})


def test_what_is_no_workbook_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_text("Item,Amount")
    assert workbook_looks(path, {}) == 0
    assert workbook_shows(path, {}) == 0


@pytest.mark.parametrize(
    ("first_format", "same"),
    [
        ("$#,##0.00", "[$$-409]#,##0.00;[RED]-[$$-409]#,##0.00"),
        ('"$"#,##0.00', "$#,##0.00"),
        ("[$€-407]0.00", "€0.00"),
        ("General", "general"),
        ("DD/MM/YYYY", "dd/mm/yyyy"),
    ],
)
def test_number_formats_that_mean_the_same(first_format: str, same: str) -> None:
    assert number_style(first_format) == number_style(same)


@pytest.mark.parametrize(
    ("first_format", "other"),
    [
        ("0.00", "0.0"),
        ("0.00", "0.00%"),
        ("0.00", "#,##0.00"),
        ("$0.00", "€0.00"),
        ("0", "General"),
    ],
)
def test_number_formats_that_mean_something_else(first_format: str, other: str) -> None:
    assert number_style(first_format) != number_style(other)
