from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]


def addresses(matches: list[dict[str, Any]]) -> list[str]:
    return [item["cell"] for item in matches]


def test_cells_are_found_by_their_text(people: Path, call: Call) -> None:
    assert call("calc.find", text="an") == [{"cell": "Sheet1.A2", "value": "Ann"}]
    assert call("calc.find", text="30") == [{"cell": "Sheet1.C2", "value": 30}]
    assert addresses(call("calc.find", text="red")) == ["Sheet1.B2", "Sheet1.B4"]
    assert addresses(call("calc.find", text="^.e", regex=True, range="A:A")) == ["Sheet1.A5"]


def test_what_is_found_can_be_narrowed(people: Path, call: Call) -> None:
    assert call("calc.find", text="Re", whole_cell=True) == []
    assert call("calc.find", text="red", match_case=True) == []
    assert call("calc.find", text="Red", range="A1:A5") == []


def test_shown_text_of_a_formula_is_found(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="E1", value="=C2*2+1")
    assert call("calc.find", text="61") == [{"cell": "Sheet1.E1", "value": 61}]


def test_nothing_to_find_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="text to find is empty"):
        call("calc.find", text="")


def test_text_is_replaced_where_asked(people: Path, call: Call) -> None:
    assert call("calc.find_replace", find="Red", replace="Pink", range="B2:B3") == 1
    assert call("calc.read_column", column="B") == ["Team", "Pink", "Blue", "Red", "Green"]
    assert call("calc.find_replace", find="(.)e(.)", replace="$2$1", regex=True) == 4
    assert call("calc.read_column", column="B") == ["aTm", "Pink", "Blue", "dR", "Gern"]


def test_replacing_reaches_formulas(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="E1", value="=C2*2")
    assert call("calc.find_replace", find="C2", replace="C3", range="E1") == 1
    assert call("calc.read_range", range="E1")["rows"] == [[20]]


def test_replacing_nothing_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="text to find is empty"):
        call("calc.find_replace", find="", replace="x")
