from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def column(call: Call, name: str) -> Any:
    return call("calc.read_column", column=name)


def test_rows_are_inserted_and_deleted(people: Path, call: Call) -> None:
    call("calc.insert_rows", row=2, count=2)
    assert column(call, "A") == ["Name", None, None, "Ann", "Bob", "Cy", "Dee"]
    call("calc.delete_rows", row=2, count=3)
    assert column(call, "A") == ["Name", "Bob", "Cy", "Dee"]


def test_columns_are_inserted_and_deleted_on_the_sheet_named(people: Path, call: Call) -> None:
    call("calc.add_sheet", name="Two")
    call("calc.activate_sheet", name="Two")
    call("calc.insert_columns", column="B", sheet="Sheet1")
    assert call("calc.read_range", range="Sheet1.A1:D1")["rows"] == [["Name", None, "Team", "Pay"]]
    call("calc.delete_columns", column="A", count=2, sheet="Sheet1")
    assert call("calc.read_range", range="Sheet1.A1:B1")["rows"] == [["Team", "Pay"]]


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("calc.insert_rows", {"row": 0}, "rows are 1 to 1048576, not 0"),
        ("calc.delete_rows", {"row": 1, "count": 0}, "count must be at least 1"),
        ("calc.delete_rows", {"row": 1048576, "count": 2}, "has only 1048576 rows"),
        ("calc.insert_columns", {"column": "7"}, "'7' is not a column; columns are A to XFD"),
        ("calc.delete_columns", {"column": "XFD", "count": 2}, "has only 16384 columns"),
    ],
)
def test_lines_that_are_not_there_are_refused(
    people: Path, call: Call, tool: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words) as refused:
        call(tool, **arguments)
    assert refused.value.reason == "bad_value"


def test_rows_and_columns_are_hidden_and_shown(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.hide", lines="2:3")
    call("calc.hide", lines="Sheet1.B")
    sheet = workbook()["Sheet1"]
    assert [sheet.row_dimensions[row].hidden for row in (1, 2, 3, 4)] == [False, True, True, False]
    assert sheet.column_dimensions["B"].hidden
    call("calc.hide", lines="2:3", hidden=False)
    assert not workbook()["Sheet1"].row_dimensions[2].hidden


def test_hiding_needs_whole_lines(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'A1:B2' must be whole rows"):
        call("calc.hide", lines="A1:B2")


def test_rows_with_a_value_are_hidden(people: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.hide_rows_with", value="Red") == 2
    assert call("calc.hide_rows_with", value="40", range="C:C") == 1
    sheet = workbook()["Sheet1"]
    assert [row for row in range(1, 6) if sheet.row_dimensions[row].hidden] == [2, 4, 5]


def test_hiding_by_a_value_that_is_nowhere_hides_nothing(people: Path, call: Call) -> None:
    assert call("calc.hide_rows_with", value="red") == 0


def test_widths_and_heights_are_set(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_column_width", columns="B:C", cm=5)
    call("calc.set_row_height", rows="2", cm=2.54)
    sheet = workbook()["Sheet1"]
    assert sheet.row_dimensions[2].height == pytest.approx(72, abs=0.5)
    assert sheet.column_dimensions["B"].width == pytest.approx(27, abs=2)


def test_optimal_sizes_fit_the_content(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_cell", cell="A3", value="long " * 12)
    call("calc.format_range", range="A4", size=40)
    call("calc.set_row_height", rows="4", cm=0.5)
    call("calc.set_column_width", columns="A")
    call("calc.set_row_height", rows="4")
    sheet = workbook()["Sheet1"]
    assert sheet.column_dimensions["A"].width > 40
    assert sheet.row_dimensions[4].height > 40


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("calc.set_column_width", {"columns": "3:4", "cm": 1}, "must be columns"),
        ("calc.set_row_height", {"rows": "B", "cm": 1}, "must be rows"),
        ("calc.set_column_width", {"columns": "B", "cm": -1}, "more than 0"),
        ("calc.set_row_height", {"rows": "2", "cm": 99}, "at most 30 cm"),
    ],
)
def test_sizes_that_cannot_be_are_refused(
    people: Path, call: Call, tool: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call(tool, **arguments)


def test_columns_are_reordered_with_their_looks(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.set_cell", cell="E1", value="=SUM(C2:C5)")
    call("calc.format_range", range="C1", bold=True)
    call("calc.set_column_width", columns="C", cm=6)
    call("calc.reorder_columns", order=["Pay", "A"])
    sheet = workbook()["Sheet1"]
    assert [cell.value for cell in sheet[1]] == ["Pay", "Name", "Team", None, "=SUM(A2:A5)"]
    assert [cell.value for cell in sheet[2]][:3] == [30, "Ann", "Red"]
    assert sheet["A1"].font.bold
    assert sheet.column_dimensions["A"].width > 25 > sheet.column_dimensions["B"].width


def test_reordering_by_what_is_not_there_tells_the_first_row(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no column 'Wage'; the first row: Name, Team, Pay"):
        call("calc.reorder_columns", order=["Wage"])
