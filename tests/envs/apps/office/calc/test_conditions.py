"""Conditional formats of a real spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def rules(workbook: Any) -> list[Any]:
    formats = workbook["Sheet1"].conditional_formatting
    return [(str(item.sqref), rule) for item in formats for rule in item.rules]


def test_conditional_formats_add_up_and_are_cleared(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.conditional_format", range="C2:C5", operator=">", value=25, background="#00FF00")
    call(
        "calc.conditional_format",
        range="A2:A5",
        operator="formula",
        value='=AND($B2="Red",$C2>0)',
        color="red",
        bold=True,
    )
    call(
        "calc.conditional_format",
        range="C2:C5",
        operator="between",
        value=1,
        value2=15,
        color="blue",
    )
    result = rules(workbook())
    by_range = sorted((where, rule.operator or rule.type, rule.formula) for where, rule in result)
    assert by_range == [
        ("A2:A5", "expression", ['AND($B2="Red",$C2>0)']),
        ("C2:C5", "between", ["1", "15"]),
        ("C2:C5", "greaterThan", ["25"]),
    ]
    green = next(rule for _, rule in result if rule.operator == "greaterThan")
    assert green.dxf.fill.bgColor.rgb == "FF00FF00"
    call("calc.clear_conditional_formats", range="C2:C5")
    assert [where for where, _ in rules(workbook())] == ["A2:A5"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"operator": ">", "value": 1}, "give background, color or bold"),
        ({"operator": "between", "value": 1, "bold": True}, "value2 goes with between"),
        ({"operator": ">", "value": 1, "value2": 2, "bold": True}, "value2 goes with between"),
    ],
)
def test_conditions_that_say_too_little_or_much_are_refused(
    people: Path, call: Call, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("calc.conditional_format", range="C2:C5", **arguments)


def test_clearing_conditional_formats_needs_a_sheet_that_exists(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="no sheet 'Q5'"):
        call("calc.clear_conditional_formats", range="Q5.A1:B2")
