"""Formatting of cells as OSWorld reads them, conditional formats included.

A condition is given the cell's value and then its absolute ranges, whatever it refers to; one that
is of no known kind is taken for the one before. A reference like $A$1 raises ValueError.
Needs the package `formulas` (extra "osworld").
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Read = Callable[[str], Any]
MAX_BLANKS = 50
_ABSOLUTE = re.compile(r"\$([A-Z]{1,3})\$(\d+)(?::\$([A-Z]{1,3})\$(\d+))?")
_BY_FORMULA = {
    "expression",
    "containsText",
    "notContainsText",
    "endsWith",
    "beginsWith",
    "containsErrors",
    "notContainsErrors",
}
_FONT = {
    "font_name": "name",
    "font_family": "family",
    "font_bold": "bold",
    "font_italic": "italic",
    "font_underline": "underline",
    "font_size": "size",
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lessThanOrEqual": operator.le,
    "lessThan": operator.lt,
    "equal": operator.eq,
    "greaterThanOrEqual": operator.ge,
    "notEqual": operator.ne,
    "greaterThan": operator.gt,
}


def coordinates(ranges: Any) -> Iterator[str]:
    """Names of the cells, as in "B2"."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.cell_range import MultiCellRange

    for area in MultiCellRange(ranges):
        for row, column in area.cells:
            yield f"{get_column_letter(column)}{row}"


def styles(sheet: Any, names: Sequence[str], read: Read) -> dict[str, list[Any]]:
    """By cell, the properties asked for; `read` gives a cell's value."""
    if sheet is None:
        return {}
    formatting_by_cell = {
        cell.coordinate: [cell_property(name, cell) for name in names]
        for column in sheet.iter_cols()
        for cell in column
    }
    conditions = Conditions(read)
    for part in sheet.conditional_formatting:
        for rule in part.rules:
            if conditions.take(rule):
                for place in conditions.matching_cells(part.cells):
                    formatting_by_cell[place] = [
                        cell_property(name, sheet[place], rule.dxf) for name in names
                    ]
    return formatting_by_cell


def cell_property(name: str, cell: Any, condition: Any = None) -> Any:
    """Raises AttributeError where cell or condition has no font or color of its own."""
    source = condition or cell
    if name == "merge":
        return type(cell).__name__ == "MergedCell"
    if name == "fill_type":
        return getattr(source.fill, "tagname", None)
    if name in ("bgcolor", "fgcolor"):
        color = getattr(source.fill, "fgColor" if condition is None else "bgColor", None)
        return getattr(color, "rgb", None)
    if name not in (*_FONT, "number_format", "font_color", "hyperlink"):
        raise NotImplementedError(f"there is no property {name!r} of cells")
    if cell.value is None:
        return None
    if name == "hyperlink":
        return cell.hyperlink or ""
    if name == "font_color":
        return source.font.color.rgb
    if name != "number_format":
        return getattr(source.font, _FONT[name])
    if cell.data_type != "n":
        return None
    return cell.number_format if condition is None else condition.numFmt.formatCode


class Conditions:
    """The rules of one sheet in their order, for a rule of no known kind goes by the last one."""

    def __init__(self, read: Read) -> None:
        import formulas

        self._read, self._parser = read, formulas.Parser()
        self._active: Callable[[Any], Any] | None = None
        self._condition: Any = None
        self._arguments: list[Any] = []
        self._operator, self._references = "", list[Any]()

    def take(self, rule: Any) -> bool:
        """False where the rule's formulas cannot be used."""
        functions, arguments = [], []
        for written in rule.formula:
            try:
                functions.append(self._parser.ast(f"={written}")[1].compile())
            except Exception:
                # The parser raises errors of many kinds.
                return False
            self._arguments = [self._absolute(*match) for match in _ABSOLUTE.findall(written)]
            arguments.append(self._arguments)
        if rule.type in _BY_FORMULA:
            self._condition, self._arguments = functions[0], arguments[0]
            self._active = lambda value: self._condition(value, *self._arguments)
        elif rule.type == "cellIs":
            self._operator = rule.operator
            try:
                self._references = [function() for function in functions]
            except Exception:
                # A formula that refers to a cell cannot be called without one.
                return False
            self._active = self._compare
        return True

    def _absolute(self, *corners: str) -> list[Any]:
        from openpyxl.worksheet.cell_range import CellRange

        left, top, right, bottom = corners
        area = CellRange(f"{left}{top}:{right}{bottom}")
        return [self._read(place) for place in coordinates([area.coord])]

    def _compare(self, value: Any) -> Any:
        references = self._references
        try:
            if self._operator in ("between", "notBetween"):
                least, most = min(references), max(references)
                if self._operator == "between":
                    return value >= least and value <= most
                return value < least or value > most
            return _COMPARISONS[self._operator](value, references[0])
        except (TypeError, IndexError, KeyError):
            return False

    def matching_cells(self, areas: Any) -> Iterator[str]:
        """Each range is left after 51 blank cells, counted from the first range on."""
        blanks = 0
        for area in areas:
            for place in coordinates([area.coord]):
                value = self._read(place)
                if value is None:
                    blanks += 1
                    if blanks > MAX_BLANKS:
                        break
                elif self._holds(value):
                    yield place

    def _holds(self, value: Any) -> bool:
        if self._active is None:
            return False
        try:
            outcome = self._active(value)
        except Exception:
            # Functions fail in many ways on values of a kind they do not expect.
            return False
        return bool(outcome)
