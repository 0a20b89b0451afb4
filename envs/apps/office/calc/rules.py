"""Tools on validation rules of cells and on names of ranges."""

from __future__ import annotations

import re
from typing import Any, Literal

from envs.apps.office.calc.access import Scalar, range_of, require_changeable
from envs.apps.office.calc.conditions import OPERATORS, condition_formula
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum, struct

NAME = re.compile(r"[^\W\d]\w*")
LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+")

tools = ToolGroup("calc")


@tools.tool("calc.set_validation_list")
def set_validation_list(doc: Any, range: str, values: list[str], show_error: bool = True) -> None:
    """Lets cells take only values of a list, offered as a drop-down.

    values: the choices. show_error: whether other input is refused.
    """
    if not values:
        raise OfficeError("bad_value", "values is empty")
    wrong = [value for value in values if '"' in value or "," in value]
    if wrong:
        raise OfficeError(
            "bad_value",
            f"choices cannot have quotes or commas: {wrong}; write them into cells and use "
            "calc.set_validation with cell_range",
        )
    choices = ";".join(f'"{value}"' for value in values)
    _validate(doc, range, "LIST", "EQUAL", choices, "", show_error)


@tools.tool("calc.set_validation")
def set_validation(
    doc: Any,
    range: str,
    kind: Literal["any", "whole", "decimal", "text_length", "cell_range", "formula"],
    operator: Literal["=", "<>", ">", ">=", "<", "<=", "between", "not_between"] = "=",
    value: Scalar = None,
    value2: Scalar = None,
    show_error: bool = True,
) -> None:
    """Restricts what cells take; any lifts the restriction.

    kind: whole or decimal numbers, text of a length, choices from a cell_range (value such as
    =$A$1:$A$5), or a formula that must be true. value2: the upper end of between.
    """
    kinds = {
        "any": "ANY",
        "whole": "WHOLE",
        "decimal": "DECIMAL",
        "text_length": "TEXT_LEN",
        "cell_range": "LIST",
        "formula": "CUSTOM",
    }
    if kind != "any" and value is None:
        raise OfficeError("bad_value", f"{kind} needs a value")
    if (value2 is None) == ("between" in operator):
        raise OfficeError("bad_value", "value2 goes with between and not_between, and only there")
    _validate(
        doc,
        range,
        kinds[kind],
        OPERATORS[operator],
        condition_formula(doc, value),
        condition_formula(doc, value2),
        show_error,
    )


@tools.tool("calc.define_name")
def define_name(doc: Any, name: str, range: str) -> str:
    """Names a range for use in formulas, in place of an earlier meaning; gives its address."""
    if not NAME.fullmatch(name) or LIKE_A_CELL.fullmatch(name):
        raise OfficeError(
            "bad_value",
            f"{name!r} cannot be a name: use letters, digits and _, and no cell address",
        )
    cells = range_of(doc, range)
    if doc.NamedRanges.hasByName(name):
        doc.NamedRanges.removeByName(name)
    content: str = cells.AbsoluteName
    doc.NamedRanges.addNewByName(name, content, struct("table.CellAddress"), 0)
    return content


@tools.tool("calc.delete_name")
def delete_name(doc: Any, name: str) -> None:
    """Takes away a range's name."""
    if not doc.NamedRanges.hasByName(name):
        known = ", ".join(doc.NamedRanges.ElementNames)
        raise OfficeError("not_found", f"there is no name {name!r}; names: {known or 'none'}")
    doc.NamedRanges.removeByName(name)


def _validate(
    doc: Any, address: str, kind: str, operator: str, first: str, second: str, show_error: bool
) -> None:
    cells = require_changeable(range_of(doc, address))
    rule = cells.Validation
    rule.Type = enum("sheet.ValidationType", kind)
    rule.setOperator(enum("sheet.ConditionOperator", operator))
    rule.setFormula1(first)
    rule.setFormula2(second)
    rule.ShowErrorMessage = show_error
    rule.ShowList = 1
    rule.IgnoreBlankCells = True
    cells.Validation = rule
