"""Tools on conditional formats; conditions in UNO's form."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import Scalar, range_of, require_changeable, sheet_names
from envs.apps.office.calc.format import color_number
from envs.apps.office.calc.formulas import uno_formula
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum, property_value

OPERATORS = {
    "=": "EQUAL",
    "<>": "NOT_EQUAL",
    ">": "GREATER",
    ">=": "GREATER_EQUAL",
    "<": "LESS",
    "<=": "LESS_EQUAL",
    "between": "BETWEEN",
    "not_between": "NOT_BETWEEN",
}

tools = ToolGroup("calc")


@tools.tool("calc.conditional_format")
def conditional_format(
    doc: Any,
    range: str,
    operator: Literal["=", "<>", ">", ">=", "<", "<=", "between", "not_between", "formula"],
    value: Scalar,
    value2: Scalar = None,
    background: str | None = None,
    color: str | None = None,
    bold: bool | None = None,
) -> None:
    """Formats cells for as long as a condition holds; added to the conditions there are.

    value: a number, text or a formula; for operator formula, one for the range's first cell, such
    as =$C2>100. value2: the upper end of between and not_between.
    """
    if background is None and color is None and bold is None:
        raise OfficeError("bad_value", "give background, color or bold")
    if (value2 is None) == ("between" in operator):
        raise OfficeError("bad_value", "value2 goes with between and not_between, and only there")
    cells = require_changeable(range_of(doc, range))
    style = _cell_style(doc, background, color, bold)
    first = cells.getCellByPosition(0, 0).CellAddress
    formats = cells.ConditionalFormat
    name = "FORMULA" if operator == "formula" else OPERATORS[operator]
    formats.addNew(
        (
            property_value("Operator", enum("sheet.ConditionOperator", name)),
            property_value("Formula1", condition_formula(doc, value)),
            property_value("Formula2", condition_formula(doc, value2)),
            property_value("SourcePosition", first),
            property_value("StyleName", style),
        )
    )
    cells.ConditionalFormat = formats


@tools.tool("calc.clear_conditional_formats")
def clear_conditional_formats(doc: Any, range: str) -> None:
    """Takes all conditional formats off a range."""
    cells = require_changeable(range_of(doc, range))
    formats = cells.ConditionalFormat
    formats.clear()
    cells.ConditionalFormat = formats


def condition_formula(doc: Any, value: Scalar) -> str:
    """A value in UNO's form: text in quotes, a formula without its =."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE()" if value else "FALSE()"
    if isinstance(value, int | float):
        return repr(value)
    if value.startswith("="):
        return uno_formula(value, sheet_names(doc))[1:]
    return '"' + value.replace('"', '""') + '"'


def _cell_style(doc: Any, background: str | None, color: str | None, bold: bool | None) -> str:
    """Name of the cell style with this formatting, which is made at its first use."""
    properties: dict[str, Any] = {
        "CellBackColor": None if background is None else color_number(background),
        "CharColor": None if color is None else color_number(color),
        "CharWeight": None if bold is None else 150.0 if bold else 100.0,
    }
    name = "Condition " + " ".join(f"{value}" for value in properties.values())
    styles = doc.StyleFamilies.getByName("CellStyles")
    if not styles.hasByName(name):
        styles.insertByName(name, doc.createInstance("com.sun.star.style.CellStyle"))
        style = styles.getByName(name)
        for property_name, value in properties.items():
            if value is not None:
                setattr(style, property_name, value)
    return name
