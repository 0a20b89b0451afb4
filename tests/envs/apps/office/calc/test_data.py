from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def names(call: Call) -> Any:
    return [row[0] for row in call("calc.read_range", range="A2:A5")["rows"]]


def hidden_rows(saved: Any) -> list[int]:
    sheet = saved["Sheet1"]
    return [row for row in range(1, 7) if sheet.row_dimensions[row].hidden]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"by": ["Pay"]}, ["Bob", "Cy", "Ann", "Dee"]),
        ({"by": ["C"], "descending": ["C"]}, ["Dee", "Ann", "Cy", "Bob"]),
        ({"by": ["Team", "Pay"]}, ["Bob", "Dee", "Cy", "Ann"]),
        ({"by": ["Team", "Pay"], "descending": ["Team"]}, ["Cy", "Ann", "Dee", "Bob"]),
        ({"by": ["C"], "range": "A2:C5", "header": False}, ["Bob", "Cy", "Ann", "Dee"]),
        ({"by": ["C"], "range": "A2:C3", "header": False}, ["Bob", "Ann", "Cy", "Dee"]),
    ],
)
def test_rows_are_sorted(
    people: Path, call: Call, arguments: dict[str, Any], expected: list[str]
) -> None:
    call("calc.sort", **arguments)
    assert names(call) == expected
    assert call("calc.read_range", range="A1:C1")["rows"] == [["Name", "Team", "Pay"]]


def test_sorting_moves_whole_rows(people: Path, call: Call) -> None:
    assert call("calc.sort", by=["Pay"]) == "Sheet1.A1:C5"
    assert call("calc.read_range", range="A2:C2")["rows"] == [["Bob", "Blue", 10]]


def test_sorting_by_what_is_not_there_tells_the_header(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no column 'Wage'; its header: Name, Team, Pay") as refused:
        call("calc.sort", by=["Wage"])
    assert refused.value.reason == "not_found"
    with pytest.raises(Refused, match=r"not in it but in descending: \['Team'\]"):
        call("calc.sort", by=["Pay"], descending=["Team"])


@pytest.mark.parametrize(
    ("test", "hidden"),
    [
        ({"column": "Team", "operator": "=", "value": "red"}, [3, 5]),
        ({"column": "B", "operator": "<>", "value": "Red"}, [2, 4]),
        ({"column": "Pay", "operator": ">=", "value": 30}, [3, 4]),
        ({"column": "Team", "operator": "contains", "value": "e"}, []),
        ({"column": "Team", "operator": "contains", "value": "re"}, [3]),
        ({"column": "Team", "operator": "empty"}, [2, 3, 4, 5]),
        ({"column": "Team", "operator": "not_empty"}, []),
    ],
)
def test_a_filter_hides_the_rows_that_fail(
    people: Path, call: Call, workbook: Workbook, test: dict[str, Any], hidden: list[int]
) -> None:
    assert call("calc.filter", **test) == 4 - len(hidden)
    assert hidden_rows(workbook()) == hidden
    call("calc.clear_filter")
    assert hidden_rows(workbook()) == []


def test_a_filter_without_a_value_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="needs a value"):
        call("calc.filter", column="Team", operator="=")


def test_clearing_a_filter_needs_a_sheet_that_exists(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no sheet 'Q5'"):
        call("calc.clear_filter", range="Q5.A1:C5")


def test_autofilter_is_put_on_and_taken_off(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.autofilter")
    assert workbook()["Sheet1"].auto_filter.ref == "A1:C5"
    call("calc.autofilter", on=False)
    assert workbook()["Sheet1"].auto_filter.ref is None


def test_autofilter_needs_an_address(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="is not an address"):
        call("calc.autofilter", range="the table")


def test_the_first_of_equal_rows_stays(people: Path, call: Call) -> None:
    call("calc.write_range", cell="A6", rows=[["Ann", "Red", 30], ["Bob", "Blue", 11]])
    call("calc.set_cell", cell="A9", value="below")
    assert call("calc.remove_duplicates", range="A1:C7") == 1
    assert call("calc.read_column", column="A") == [
        *["Name", "Ann", "Bob", "Cy", "Dee", "Bob", None, None],
        "below",
    ]
    assert call("calc.remove_duplicates", range="A1:C6", columns=["Team"]) == 2
    assert call("calc.read_range", range="A1:A6")["rows"] == [
        ["Name"],
        ["Ann"],
        ["Bob"],
        ["Dee"],
        [None],
        [None],
    ]


def test_duplicates_by_what_is_not_there_are_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no column 'Wage'"):
        call("calc.remove_duplicates", columns=["Wage"])


def test_a_column_is_split_into_columns(book: Path, call: Call) -> None:
    call("calc.write_column", cell="A1", values=["Ann, 5", "Bob", "Cy,x, 2.5"])
    assert call("calc.split_column", range="A1:A3", separator=",", to="C1") == "Sheet1.C1:E3"
    assert call("calc.read_range", range="C1:E3")["rows"] == [
        ["Ann", 5, None],
        ["Bob", None, None],
        ["Cy", "x", 2.5],
    ]


def test_splitting_two_columns_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be one column"):
        call("calc.split_column", range="A1:B3", separator=",")
