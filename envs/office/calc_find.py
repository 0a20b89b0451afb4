"""Tools that find cells by their text and replace text in them."""

from __future__ import annotations

from typing import Any

from envs.office.calc_access import changeable, data_of, plain, table_of
from envs.office.calc_addresses import Area
from envs.office.registry import OfficeError, office_tool

MAX_FOUND = 200


@office_tool("calc.find", "calc")
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
    found = cells.findAll(search)
    if found is None:
        return []
    results: list[dict[str, Any]] = []
    for at in found.RangeAddresses:
        sheet = doc.Sheets.getByIndex(at.Sheet)
        part = sheet.getCellRangeByPosition(at.StartColumn, at.StartRow, at.EndColumn, at.EndRow)
        for y, row in enumerate(data_of(part)):
            for x, value in enumerate(row):
                if len(results) == MAX_FOUND:
                    return results
                column, line = at.StartColumn + x, at.StartRow + y
                cell = Area(column, line, column, line, sheet.Name)
                results.append({"cell": str(cell), "value": plain(value)})
    return results


@office_tool("calc.find_replace", "calc")
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
    cells = changeable(table_of(doc, range))
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
