"""Tools on pivot tables."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import (
    area_of,
    cell_of,
    require_changeable,
    sheet_names,
    table_of,
    text_of,
)
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum

Function = Literal["sum", "count", "average", "max", "min", "product", "count_numbers"]
FUNCTIONS = {"count_numbers": "COUNTNUMS"}

tools = ToolGroup("calc")


@tools.tool("calc.create_pivot")
def create_pivot(
    doc: Any,
    values: list[str],
    rows: list[str] = [],  # noqa: B006
    columns: list[str] = [],  # noqa: B006
    filters: list[str] = [],  # noqa: B006
    function: Function = "sum",
    range: str | None = None,
    to: str | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """Makes a pivot table; gives its name and the range that it fills.

    values, rows, columns, filters: header texts of the source. range: the source with its header
    row; all of the active sheet if left out. to: upper left cell of the result, such as Pivot.A1;
    on a new sheet if left out.
    """
    cells = table_of(doc, range)
    source = area_of(cells)
    titles = [text_of(value) for value in cells.getDataArray()[0]]
    unknown = [title for title in (*values, *rows, *columns, *filters) if title not in titles]
    if unknown:
        raise OfficeError("not_found", f"{source} has no {unknown}; its header: {titles}")
    if not values or not (rows or columns):
        raise OfficeError("bad_value", "give values, and rows or columns")
    if len(titles) != len(set(titles)) or "" in titles:
        raise OfficeError("bad_value", f"the header must have a different text each: {titles}")
    known = _pivot_names(doc)
    if name in known:
        raise OfficeError("bad_value", f"there is a pivot table {name!r} already")
    place = require_changeable(cell_of(doc, to or _add_sheet(doc)))
    tables = place.Spreadsheet.DataPilotTables
    descriptor = tables.createDataPilotDescriptor()
    descriptor.setSourceRange(cells.RangeAddress)
    descriptor.ShowFilterButton = False
    fields = descriptor.DataPilotFields
    for orientation, names in (("PAGE", filters), ("COLUMN", columns), ("ROW", rows)):
        for title in names:
            fields.getByName(title).Orientation = _orientation(orientation)
    for title in values:
        field = fields.getByName(title)
        field.Orientation = _orientation("DATA")
        field.Function = enum("sheet.GeneralFunction", FUNCTIONS.get(function, function.upper()))
    chosen = name or _free_name(known)
    tables.insertNewByName(chosen, place.CellAddress, descriptor)
    output = tables.getByName(chosen).OutputRange
    filled = place.Spreadsheet.getCellRangeByPosition(
        output.StartColumn, output.StartRow, output.EndColumn, output.EndRow
    )
    return {"name": chosen, "range": str(area_of(filled))}


@tools.tool("calc.refresh_pivots")
def refresh_pivots(doc: Any) -> list[str]:
    """Brings all pivot tables up to date with their sources; gives their names."""
    refreshed = []
    for sheet in doc.Sheets:
        for name in sheet.DataPilotTables.ElementNames:
            sheet.DataPilotTables.getByName(name).refresh()
            refreshed.append(name)
    return refreshed


@tools.tool("calc.delete_pivot")
def delete_pivot(doc: Any, name: str) -> None:
    """Deletes a pivot table, whatever sheet it is on."""
    for sheet in doc.Sheets:
        tables = sheet.DataPilotTables
        if tables.hasByName(name):
            tables.removeByName(name)
            return
    known = ", ".join(_pivot_names(doc)) or "none"
    raise OfficeError("not_found", f"there is no pivot table {name!r}; pivot tables: {known}")


def _orientation(name: str) -> Any:
    return enum("sheet.DataPilotFieldOrientation", name)


def _add_sheet(doc: Any) -> str:
    """Adds a sheet for a pivot table and gives the address of its first cell."""
    number = 1
    while f"Pivot{number}" in sheet_names(doc):
        number += 1
    doc.Sheets.insertNewByName(f"Pivot{number}", doc.Sheets.Count)
    return f"Pivot{number}.A1"


def _pivot_names(doc: Any) -> list[str]:
    """Names of all pivot tables; they must differ across the whole document."""
    return [name for sheet in doc.Sheets for name in sheet.DataPilotTables.ElementNames]


def _free_name(known: list[str]) -> str:
    number = len(known) + 1
    while f"Pivot table {number}" in known:
        number += 1
    return f"Pivot table {number}"
