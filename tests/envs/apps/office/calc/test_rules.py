from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def test_a_validation_list_offers_its_choices(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_validation_list", range="B2:B9", values=["Red", "Dark blue"])
    (rule,) = workbook()["Sheet1"].data_validations.dataValidation
    assert (rule.type, rule.formula1, str(rule.sqref)) == ("list", '"Red,Dark blue"', "B2:B9")
    assert rule.showErrorMessage
    assert not rule.showDropDown


@pytest.mark.parametrize(
    ("values", "words"),
    [([], "values is empty"), (["a,b"], r"calc\.set_validation with cell_range")],
)
def test_choices_that_no_file_can_keep_are_refused(
    people: Path, call: Call, values: list[str], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("calc.set_validation_list", range="B2", values=values)


def test_numbers_lengths_ranges_and_formulas_are_validated(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.set_validation", range="A1", kind="whole", operator="between", value=1, value2=9)
    call("calc.set_validation", range="A2", kind="text_length", operator="<=", value=5)
    call("calc.set_validation", range="A3", kind="cell_range", value="=$B$2:$B$5")
    call("calc.set_validation", range="A4", kind="formula", value="=MOD(A4,2)=0")
    call("calc.set_validation", range="A5", kind="decimal", operator=">", value=0.5)
    call("calc.set_validation", range="A5", kind="any")
    result = {
        str(rule.sqref): (rule.type, rule.operator, rule.formula1)
        for rule in workbook()["Sheet1"].data_validations.dataValidation
    }
    assert result["A1"] == ("whole", "between", "1")
    assert result["A2"] == ("textLength", "lessThanOrEqual", "5")
    assert result["A3"][::2] == ("list", "$B$2:$B$5")
    assert result["A4"][::2] == ("custom", "MOD(A4,2)=0")
    assert result["A5"][0] in (None, "none")


def test_a_rule_without_a_value_is_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="whole needs a value"):
        call("calc.set_validation", range="A1", kind="whole")
    with pytest.raises(Refused, match="value2 goes with between"):
        call("calc.set_validation", range="A1", kind="whole", operator="between", value=1)


def test_a_name_stands_for_its_range(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.define_name", name="Wages", range="C2:C3")
    assert call("calc.define_name", name="Wages", range="C2:C5") == "$Sheet1.$C$2:$C$5"
    assert call("calc.set_cell", cell="E1", value="=SUM(Wages)")["shows"] == "100"
    assert workbook().defined_names["Wages"].value == "Sheet1!$C$2:$C$5"
    call("calc.delete_name", name="Wages")
    assert "Wages" not in workbook().defined_names


@pytest.mark.parametrize("name", ["B2", "two words", "", "1st"])
def test_what_cannot_be_a_name_is_refused(people: Path, call: Call, name: str) -> None:
    with pytest.raises(Refused, match="cannot be a name"):
        call("calc.define_name", name=name, range="C2:C5")


def test_deleting_an_unknown_name_tells_the_known(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no name 'Wages'; names: none"):
        call("calc.delete_name", name="Wages")
