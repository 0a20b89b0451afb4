from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]

TEAMS = ["Blue", "Green", "Red"]


def rows(call: Call, address: str) -> Any:
    return call("calc.read_range", range=address)["rows"]


def test_values_are_summed_by_row_on_a_new_sheet(
    people: Path, call: Call, workbook: Workbook
) -> None:
    created = call("calc.create_pivot", values=["Pay"], rows=["Team"], name="ByTeam")
    assert created == {"name": "ByTeam", "range": "Pivot1.A1:B5"}
    assert dict(rows(call, "Pivot1.A2:B5")) == {
        "Blue": 10,
        "Green": 40,
        "Red": 50,
        "Total Result": 100,
    }
    (pivot,) = workbook()["Pivot1"]._pivots
    assert [field.name for field in pivot.cache.cacheFields] == ["Name", "Team", "Pay"]


@pytest.mark.parametrize(
    ("function", "red"), [("average", 25), ("count", 2), ("max", 30), ("min", 20), ("product", 600)]
)
def test_functions_and_places(people: Path, call: Call, function: str, red: int) -> None:
    created = call(
        "calc.create_pivot", values=["Pay"], rows=["Team"], function=function, to="Sheet1.F3"
    )
    assert created["range"] == "Sheet1.F3:G7"
    assert dict(rows(call, "F4:G7"))["Red"] == red


def test_columns_and_filters_have_their_places(people: Path, call: Call) -> None:
    created = call(
        "calc.create_pivot", values=["Pay"], rows=["Name"], columns=["Team"], filters=["Pay"]
    )
    result = rows(call, created["range"])
    assert result[0][:2] == ["Pay", "- all -"]
    assert [value for value in result[3] if value in TEAMS] == TEAMS


def test_a_refreshed_pivot_follows_its_source(people: Path, call: Call) -> None:
    call("calc.create_pivot", values=["Pay"], rows=["Team"], name="ByTeam")
    call("calc.set_cell", cell="Sheet1.C3", value=70)
    assert call("calc.refresh_pivots") == ["ByTeam"]
    assert dict(rows(call, "Pivot1.A2:B5"))["Blue"] == 70


def test_pivots_on_several_sheets_have_names_of_their_own(people: Path, call: Call) -> None:
    ask = {"values": ["Pay"], "rows": ["Team"], "range": "Sheet1.A1:C5"}
    created = [call("calc.create_pivot", **ask)["name"] for _ in range(3)]
    assert len(set(created)) == 3
    with pytest.raises(Refused, match="there is a pivot table 'Pivot table 2' already"):
        call("calc.create_pivot", **ask, name="Pivot table 2")


def test_refreshing_where_there_is_none_refreshes_none(people: Path, call: Call) -> None:
    assert call("calc.refresh_pivots") == []


def test_a_pivot_is_deleted(people: Path, call: Call) -> None:
    call("calc.create_pivot", values=["Pay"], rows=["Team"], name="ByTeam")
    call("calc.delete_pivot", name="ByTeam")
    assert "pivot_tables" not in call("calc.info")["sheets"][1]
    with pytest.raises(Refused, match="no pivot table 'ByTeam'; pivot tables: none"):
        call("calc.delete_pivot", name="ByTeam")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"values": ["Wage"], "rows": ["Team"]}, r"has no \['Wage'\]; its header: \['Name'"),
        ({"values": ["Pay"]}, "give values, and rows or columns"),
        ({"values": ["Pay"], "rows": ["Team"], "range": "A1:D5"}, "must have a different text"),
        ({"values": ["Pay"], "rows": ["Team"], "to": "Nowhere.A1"}, "no sheet 'Nowhere'"),
    ],
)
def test_pivots_that_cannot_be_are_refused(
    people: Path, call: Call, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("calc.create_pivot", **arguments)
    assert len(call("calc.info")["sheets"]) == 1
