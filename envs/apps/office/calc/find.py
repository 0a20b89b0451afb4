"""Tools that find cells by their text and replace text in them."""

from __future__ import annotations

from typing import Any

from envs.apps.office.calc.access import data_of, require_changeable, table_of, to_json_value
from envs.apps.office.calc.addresses import Area
from envs.apps.office.registry import OfficeError, ToolGroup

MAX_FOUND = 200

tools = ToolGroup("calc")


@tools.tool("calc.find")
def find(
    doc: Any,
    text: str,
    range: str | None = None,
    regex: bool = False,
    whole_cell: bool = False,
    match_case: bool = False,
) -> list[dict[str, Any]]:
    """Finds cells whose shown text has a text in it; gives the first 200 with what they show.

    range: where; the active sheet if left out.
    """
    cells = table_of(doc, range)
    search = _search(cells, text, regex, whole_cell, match_case)
    search.setPropertyValue("SearchType", 1)
    matches = cells.findAll(search)
    if matches is None:
        return []
    results: list[dict[str, Any]] = []
    for address in matches.RangeAddresses:
        sheet = doc.Sheets.getByIndex(address.Sheet)
        part = sheet.getCellRangeByPosition(
            address.StartColumn, address.StartRow, address.EndColumn, address.EndRow
        )
        for y, row in enumerate(data_of(part)):
            for x, value in enumerate(row):
                if len(results) == MAX_FOUND:
                    return results
                column, line = address.StartColumn + x, address.StartRow + y
                cell = Area(column, line, column, line, sheet.Name)
                results.append({"cell": str(cell), "value": to_json_value(value)})
    return results


@tools.tool("calc.find_replace")
def find_replace(
    doc: Any,
    find: str,
    replace: str,
    range: str | None = None,
    regex: bool = False,
    whole_cell: bool = False,
    match_case: bool = False,
) -> int:
    """Replaces text in contents and formulas; gives how many cells changed.

    range: where; the active sheet if left out. regex: find is a regular expression, $1 its groups.
    """
    cells = require_changeable(table_of(doc, range))
    search = _search(cells, find, regex, whole_cell, match_case)
    search.ReplaceString = replace
    return int(cells.replaceAll(search))


def _search(cells: Any, text: str, regex: bool, whole_cell: bool, match_case: bool) -> Any:
    if not text:
        raise OfficeError("bad_value", "the text to find is empty")
    search = cells.createReplaceDescriptor()
    search.SearchString = text
    search.SearchRegularExpression = regex
    search.SearchWords = whole_cell
    search.SearchCaseSensitive = match_case
    return search
