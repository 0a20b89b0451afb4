from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


@pytest.fixture
def three(people: Path, call: Call) -> Path:
    """A workbook with the sheets Sheet1, Two and Three."""
    call("calc.add_sheet", name="Two")
    call("calc.add_sheet", name="Three")
    return people


def test_sheets_are_added_where_asked(book: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.add_sheet", name="Last") == ["Sheet1", "Last"]
    assert call("calc.add_sheet", name="First", position=1) == ["First", "Sheet1", "Last"]
    assert workbook().sheetnames == ["First", "Sheet1", "Last"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sheet1", "there is a sheet 'sheet1' already"),
        ("a/b", "cannot be a sheet name"),
        ("", "must not be empty"),
    ],
)
def test_a_name_that_cannot_be_is_refused(book: Path, call: Call, name: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        call("calc.add_sheet", name=name)
    with pytest.raises(Refused, match=words):
        call("calc.copy_sheet", name="Sheet1", new_name=name)


def test_a_position_past_the_end_is_refused(three: Path, call: Call) -> None:
    with pytest.raises(Refused, match="position must be 1 to 4, not 9"):
        call("calc.add_sheet", name="New", position=9)
    with pytest.raises(Refused, match="position must be 1 to 3, not 0"):
        call("calc.move_sheet", name="Two", position=0)


def test_a_sheet_is_deleted(three: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.delete_sheet", name="two") == ["Sheet1", "Three"]
    assert workbook().sheetnames == ["Sheet1", "Three"]


def test_the_only_sheet_stays(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="only sheet"):
        call("calc.delete_sheet", name="Sheet1")


def test_formulas_follow_a_renamed_sheet(three: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_cell", cell="Two.A1", value="=Sheet1!C2")
    call("calc.rename_sheet", name="Sheet1", new_name="All pay")
    saved = workbook()
    assert saved.sheetnames[0] == "All pay"
    assert saved["Two"]["A1"].value == "='All pay'!C2"


def test_renaming_may_change_only_the_case(book: Path, call: Call) -> None:
    call("calc.rename_sheet", name="Sheet1", new_name="SHEET1")
    assert call("calc.info")["active_sheet"] == "SHEET1"


def test_renaming_what_is_not_there_names_what_is(three: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no sheet 'Q5'; sheets: Sheet1, Two, Three"):
        call("calc.rename_sheet", name="Q5", new_name="Q6")


def test_a_copied_sheet_has_its_cells(people: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.copy_sheet", name="Sheet1", new_name="Twin", position=1) == ["Twin", "Sheet1"]
    saved = workbook()
    assert saved["Twin"]["A2"].value == saved["Sheet1"]["A2"].value == "Ann"


@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        ("Sheet1", 3, ["Two", "Three", "Sheet1"]),
        ("Sheet1", 2, ["Two", "Sheet1", "Three"]),
        ("Three", 1, ["Three", "Sheet1", "Two"]),
        ("Two", 2, ["Sheet1", "Two", "Three"]),
    ],
)
def test_a_sheet_moves_to_its_position(
    three: Path, call: Call, name: str, position: int, expected: list[str]
) -> None:
    assert call("calc.move_sheet", name=name, position=position) == expected


def test_sheets_are_put_into_an_order(three: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.order_sheets", names=["Three", "Two"]) == ["Three", "Two", "Sheet1"]
    assert workbook().sheetnames == ["Three", "Two", "Sheet1"]


def test_an_order_names_no_sheet_twice(three: Path, call: Call) -> None:
    with pytest.raises(Refused, match="named twice"):
        call("calc.order_sheets", names=["Two", "two"])


def test_a_sheet_is_hidden_and_shown(three: Path, call: Call, workbook: Workbook) -> None:
    call("calc.show_sheet", name="Two", visible=False)
    assert workbook()["Two"].sheet_state == "hidden"
    with pytest.raises(Refused, match=r"'Two' is hidden; use calc\.show_sheet"):
        call("calc.activate_sheet", name="Two")
    call("calc.show_sheet", name="Two")
    assert workbook()["Two"].sheet_state == "visible"


def test_the_only_visible_sheet_stays_visible(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="only visible sheet"):
        call("calc.show_sheet", name="Sheet1", visible=False)


def test_a_tab_is_coloured(three: Path, call: Call, workbook: Workbook) -> None:
    call("calc.color_sheet_tab", name="Two", color="#12AB34")
    assert workbook()["Two"].sheet_properties.tabColor.rgb == "FF12AB34"
    call("calc.color_sheet_tab", name="Two", color=None)
    assert workbook()["Two"].sheet_properties.tabColor is None


def test_an_unknown_colour_is_refused(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'blurple' is not a color; write #RRGGBB"):
        call("calc.color_sheet_tab", name="Sheet1", color="blurple")


def test_the_active_sheet_is_the_one_meant_by_bare_addresses(three: Path, call: Call) -> None:
    call("calc.activate_sheet", name="Two")
    assert call("calc.set_cell", cell="B2", value=1)["cell"] == "Two.B2"
    assert call("calc.read_range", range="Two.B2")["rows"] == [[1]]


def test_activating_what_is_not_there_is_refused(three: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no sheet 'Four'"):
        call("calc.activate_sheet", name="Four")


def test_goto_selects_on_any_sheet(three: Path, call: Call) -> None:
    call("calc.goto", range="Two!B2:D4")
    result = call("calc.info")
    assert (result["active_sheet"], result["selection"]) == ("Two", "Two.B2:D4")


def test_goto_refuses_what_is_no_address(three: Path, call: Call) -> None:
    with pytest.raises(Refused, match="is not an address"):
        call("calc.goto", range="the end")


@pytest.mark.parametrize("cell", ["A2", "B1", "C3"])
def test_panes_freeze_at_the_cell(people: Path, call: Call, workbook: Workbook, cell: str) -> None:
    call("calc.freeze_panes", cell=cell)
    assert workbook()["Sheet1"].freeze_panes == cell
    call("calc.freeze_panes", cell=None)
    assert workbook()["Sheet1"].freeze_panes is None


def test_freezing_at_a1_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="A2 freezes the first row"):
        call("calc.freeze_panes", cell="A1")


def test_zoom_is_set(people: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.set_zoom", percent=150) == 150
    assert workbook()["Sheet1"].sheet_view.zoomScale == 150
    assert call("calc.set_zoom", fit="width") != 150


@pytest.mark.parametrize("percent", [None, 0, 601])
def test_an_impossible_zoom_is_refused(people: Path, call: Call, percent: int | None) -> None:
    with pytest.raises(Refused, match="zoom must be 20 to 600 percent"):
        call("calc.set_zoom", percent=percent)


def test_a_sheet_is_protected_and_freed(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.protect_sheet", password="open sesame")
    assert workbook()["Sheet1"].protection.sheet
    with pytest.raises(Refused, match="password is wrong") as refused:
        call("calc.protect_sheet", password="sesame", protect=False)
    assert refused.value.reason == "not_allowed"
    call("calc.protect_sheet", password="open sesame", protect=False)
    assert not workbook()["Sheet1"].protection.sheet


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("calc.set_cell", {"cell": "A1", "value": 1}),
        ("calc.write_range", {"cell": "A1", "rows": [[1]]}),
        ("calc.fill_formula", {"range": "A1", "formula": "=1"}),
        ("calc.fill_series", {"range": "A1:A2"}),
        ("calc.clear_range", {"range": "A1"}),
        ("calc.copy_range", {"range": "A1", "to": "E1"}),
        ("calc.move_range", {"range": "A1", "to": "E1"}),
        ("calc.transpose_range", {"range": "A1:C5", "to": "E1"}),
        ("calc.set_comment", {"cell": "A1", "text": "x"}),
        ("calc.set_link", {"cell": "A1", "url": "https://example.org"}),
        ("calc.sort", {"by": ["Pay"]}),
        ("calc.filter", {"column": "Pay", "operator": ">", "value": 20}),
        ("calc.clear_filter", {}),
        ("calc.autofilter", {}),
        ("calc.remove_duplicates", {"columns": ["Team"]}),
        ("calc.find_replace", {"find": "Red", "replace": "Pink"}),
        ("calc.format_range", {"range": "A1", "bold": True}),
        ("calc.set_borders", {"range": "A1"}),
        ("calc.set_number_format", {"range": "A1", "format": "date"}),
        ("calc.merge_cells", {"range": "A1:B1"}),
        ("calc.conditional_format", {"range": "A1", "operator": ">", "value": 1, "bold": True}),
        ("calc.set_validation_list", {"range": "A1", "values": ["x"]}),
        ("calc.create_chart", {"range": "A1:C5"}),
        ("calc.create_pivot", {"values": ["Pay"], "rows": ["Team"], "to": "E1"}),
        ("calc.insert_rows", {"row": 1}),
        ("calc.delete_columns", {"column": "A"}),
        ("calc.hide", {"lines": "2:3"}),
        ("calc.hide_rows_with", {"value": "Red"}),
        ("calc.set_column_width", {"columns": "A", "cm": 9}),
        ("calc.reorder_columns", {"order": ["Pay"]}),
    ],
)
def test_a_protected_sheet_is_not_changed(
    people: Path, call: Call, tool: str, arguments: dict[str, Any]
) -> None:
    before = call("calc.read_range")
    call("calc.protect_sheet")
    with pytest.raises(Refused, match=r"'Sheet1' is protected; calc\.protect_sheet") as refused:
        call(tool, **arguments)
    assert refused.value.reason == "not_allowed"
    assert call("calc.read_range") == before
