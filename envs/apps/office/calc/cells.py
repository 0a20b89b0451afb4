"""Tools that read and write what cells contain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from envs.apps.office.calc.access import (
    Scalar,
    area_of,
    cell_of,
    data_of,
    is_formula,
    parse_cell,
    range_of,
    require_cell_limit,
    require_changeable,
    sheet_named,
    sheet_names,
    table_of,
    target_range,
    to_json_value,
    used_area,
    write_rows,
)
from envs.apps.office.calc.addresses import column_index
from envs.apps.office.calc.formulas import uno_formula
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import constant, enum

MAX_SHOWN = 500
"""Characters of the shown text that `calc.set_cell` returns."""

MAX_SHOWN_CELLS = 1_000
"""A limit for text, because the shown text of numbers is read cell by cell."""

CONTENTS = ("VALUE", "DATETIME", "STRING", "FORMULA")
FORMATTING = ("HARDATTR", "STYLES", "EDITATTR", "FORMATTED")

tools = ToolGroup("calc")


@tools.tool("calc.read_range")
def read_range(
    doc: Any,
    range: str | None = None,
    show: Literal["values", "formulas", "text"] = "values",
    max_rows: int = 200,
) -> dict[str, Any]:
    """Reads cells row by row; empty cells are null.

    range: such as B2:C5, Data.A1:F20, whole columns B:D or rows 1:3 (cut to what is used); all of
    the active sheet if left out. show: values (dates are day numbers), formulas, or text as shown.
    """
    if max_rows < 1:
        raise OfficeError("bad_value", "max_rows must be at least 1")
    cells = table_of(doc, range)
    area = area_of(cells)
    left_out = max(0, area.height - max_rows)
    if left_out:
        cells = cells.getCellRangeByPosition(0, 0, area.width - 1, max_rows - 1)
    result = {"range": str(area_of(cells)), "rows": _rows(cells, show)}
    return {**result, "rows_left_out": left_out} if left_out else result


@tools.tool("calc.read_column")
def read_column(doc: Any, column: str, sheet: str | None = None) -> list[Any]:
    """Reads the values of one column from row 1 to the last used row.

    column: its letters, such as B. sheet: the active one if left out.
    """
    whole, index = sheet_named(doc, sheet), column_index(column)
    cells = whole.getCellRangeByPosition(index, 0, index, used_area(whole).bottom)
    return [row[0] for row in _rows(cells, "values")]


@tools.tool("calc.set_cell")
def set_cell(doc: Any, cell: str, value: Scalar, typed: bool = False) -> dict[str, Any]:
    """Sets one cell and gives what it then shows (#NAME? or Err:508 mean a wrong formula).

    value: a number, true or false, text, a formula that begins with =, or null to empty it.
    typed: text is taken as if typed, so that dates, times, percentages and numbers are recognised.
    """
    area = parse_cell(cell)
    sheet = sheet_named(doc, area.sheet)
    target_cell = require_changeable(sheet.getCellByPosition(area.left, area.top), sheet)
    if typed and isinstance(value, str) and not is_formula(value):
        target_cell.FormulaLocal = value
    else:
        write_rows(target_cell, [[value]], sheet_names(doc) if is_formula(value) else ())
    return {"cell": str(replace(area, sheet=sheet.Name)), "shows": target_cell.String[:MAX_SHOWN]}


@tools.tool("calc.write_range")
def write_range(doc: Any, cell: str, rows: list[list[Scalar]]) -> str:
    """Writes rows of values from a cell to the right and down; gives the range written.

    cell: the upper left one. rows: equally long; numbers, text, formulas that begin with =, null
    for empty. Dates: use set_cell with typed, or a formula such as =DATE(2024,1,31).
    """
    if not rows or not rows[0]:
        raise OfficeError("bad_value", "rows is empty")
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise OfficeError(
            "bad_value", f"rows must be equally long; theirs are {sorted(lengths)}; fill with null"
        )
    cells = target_range(doc, cell, len(rows[0]), len(rows))
    write_rows(cells, rows, sheet_names(doc))
    return str(area_of(cells))


@tools.tool("calc.write_column")
def write_column(doc: Any, cell: str, values: list[Scalar]) -> str:
    """Writes values downwards from a cell; gives the range written."""
    written: str = write_range(doc, cell, [[value] for value in values])
    return written


@tools.tool("calc.fill_formula")
def fill_formula(doc: Any, range: str, formula: str) -> dict[str, Any]:
    """Puts a formula into every cell of a range, its relative references moved along.

    range: such as D2:D20. formula: as for the first cell, such as =B2*C2; $ fixes a reference.
    """
    if not is_formula(formula):
        raise OfficeError("bad_value", f"{formula!r} does not begin with =")
    cells = require_cell_limit(require_changeable(range_of(doc, range)))
    area = area_of(cells)
    first = cells.getCellByPosition(0, 0)
    first.setFormula(uno_formula(formula, sheet_names(doc)))
    _fill(cells, area.height > 1, area.width > 1)
    return {"range": str(area), "first": first.String}


@tools.tool("calc.fill_series")
def fill_series(
    doc: Any, range: str, start: float = 1, step: float = 1, across: bool = False
) -> None:
    """Fills a range with start, start + step, start + 2 step, ... downwards, or across."""
    cells = require_cell_limit(require_changeable(range_of(doc, range)))
    area = area_of(cells)
    line = _series(start, step, area.width if across else area.height)
    rows = (line,) * area.height if across else tuple((value,) * area.width for value in line)
    cells.setDataArray(rows)


@tools.tool("calc.clear_range")
def clear_range(
    doc: Any, range: str, what: Literal["contents", "formatting", "all"] = "contents"
) -> None:
    """Empties cells: their contents, their formatting, or both with comments."""
    contents = sum(constant(f"sheet.CellFlags.{flag}") for flag in CONTENTS)
    formatting = sum(constant(f"sheet.CellFlags.{flag}") for flag in FORMATTING)
    flags = {
        "contents": contents,
        "formatting": formatting,
        "all": contents | formatting | constant("sheet.CellFlags.ANNOTATION"),
    }
    require_changeable(range_of(doc, range)).clearContents(flags[what])


@tools.tool("calc.copy_range")
def copy_range(doc: Any, range: str, to: str) -> None:
    """Copies cells with formatting; relative references move along.

    to: the upper left cell of the copy, on any sheet.
    """
    source, place = range_of(doc, range), require_changeable(cell_of(doc, to))
    place.Spreadsheet.copyRange(place.CellAddress, source.RangeAddress)


@tools.tool("calc.move_range")
def move_range(doc: Any, range: str, to: str) -> None:
    """Moves cells as cut and paste does; formulas that point at them follow.

    to: the upper left cell of their new place, on any sheet.
    """
    source, place = require_changeable(range_of(doc, range)), require_changeable(cell_of(doc, to))
    place.Spreadsheet.moveRange(place.CellAddress, source.RangeAddress)


@tools.tool("calc.transpose_range")
def transpose_range(doc: Any, range: str, to: str) -> str:
    """Writes the values of a range with rows and columns exchanged; gives the range written.

    to: the upper left cell of the result. Formulas become their values.
    """
    turned = tuple(zip(*data_of(table_of(doc, range)), strict=True))
    cells = target_range(doc, to, len(turned[0]), len(turned))
    cells.setDataArray(turned)
    return str(area_of(cells))


@tools.tool("calc.set_comment")
def set_comment(doc: Any, cell: str, text: str) -> None:
    """Puts a comment on a cell in place of the one it has; empty text removes it."""
    target_cell = require_changeable(cell_of(doc, cell))
    comments = target_cell.Spreadsheet.Annotations
    at = target_cell.CellAddress
    for index, comment in enumerate(comments):
        position = comment.Position
        if (position.Column, position.Row) == (at.Column, at.Row):
            comments.removeByIndex(index)
            break
    if text:
        comments.insertNew(at, text)


@tools.tool("calc.set_link")
def set_link(doc: Any, cell: str, url: str, text: str | None = None) -> None:
    """Makes a cell a hyperlink.

    url: an address, or #Sheet2.A1 for a place in this document. text: what it shows; the url if
    left out.
    """
    target_cell = require_changeable(cell_of(doc, cell))
    field = doc.createInstance("com.sun.star.text.TextField.URL")
    field.URL, field.Representation = url, text or url
    target_cell.setString("")
    target_cell.insertTextContent(target_cell.createTextCursor(), field, False)


def _rows(cells: Any, show: str) -> list[list[Any]]:
    if show == "formulas":
        return [[to_json_value(value) for value in row] for row in cells.getFormulaArray()]
    data = data_of(cells)
    if show == "text":
        if len(data) * len(data[0]) > MAX_SHOWN_CELLS:
            raise OfficeError("bad_value", f"text of at most {MAX_SHOWN_CELLS} cells in one call")
        return [
            [
                to_json_value(value)
                if isinstance(value, str)
                else cells.getCellByPosition(x, y).String
                for x, value in enumerate(row)
            ]
            for y, row in enumerate(data)
        ]
    return [[to_json_value(value) for value in row] for row in data]


def _series(start: float, step: float, count: int) -> tuple[float, ...]:
    return tuple(start + step * index for index in range(count))


def _fill(cells: Any, down: bool, right: bool) -> None:
    if right:
        cells.fillAuto(enum("sheet.FillDirection", "TO_RIGHT"), 1)
    if down:
        cells.fillAuto(enum("sheet.FillDirection", "TO_BOTTOM"), 1)
