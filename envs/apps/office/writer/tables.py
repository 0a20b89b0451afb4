"""Writer tools on text tables: tables by name or number from 1, cells by address ("B2")."""

from __future__ import annotations

from typing import Any

from envs.apps.office.characters import set_properties
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.writer.ranges import Where, insertion_cursor, select_paragraphs

tools = ToolGroup("writer")


@tools.tool("writer.insert_table")
def insert_table(
    doc: Any,
    rows: list[list[str]],
    where: Where = "end",
    after_paragraph: int | None = None,
    header: bool = True,
) -> str:
    """Inserts a table filled with `rows`; gives its name. header: the first row is bold."""
    check_rows(rows)
    return new_table(doc, insertion_cursor(doc, where, after_paragraph), rows, header)


@tools.tool("writer.text_to_table")
def text_to_table(
    doc: Any,
    paragraph: int,
    last_paragraph: int,
    separator: str = ",",
    header: bool = False,
) -> str:
    """Turns paragraphs into a table, one row each, split at the separator; gives its name."""
    lines = select_paragraphs(doc, paragraph, last_paragraph)
    rows = [
        [part.strip() for part in line.split(separator)] for line in lines.getString().split("\n")
    ]
    columns = max(len(row) for row in rows)
    if columns == 1:
        raise OfficeError("bad_value", f"no {separator!r} in these paragraphs to split them at")
    lines.setString("")
    return new_table(doc, lines, [row + [""] * (columns - len(row)) for row in rows], header)


@tools.tool("writer.read_table")
def read_table(doc: Any, table: str | int = 1) -> list[list[str]]:
    """Gives the texts of a table, row by row."""
    text_table = find_table(doc, table)
    return [[str(text) for text in row] for row in whole_range(text_table).getDataArray()]


@tools.tool("writer.set_table_cell")
def set_table_cell(
    doc: Any, cell: str, text: str, table: str | int = 1, bold: bool | None = None
) -> None:
    """Sets the text of one cell, such as "B2" (column B, row 2)."""
    text_table = find_table(doc, table)
    target = text_table.getCellByName(cell.upper())
    if target is None:
        names = text_table.getCellNames()
        raise OfficeError(
            "not_found", f"there is no cell {cell}; {text_table.Name} has {names[0]} to {names[-1]}"
        )
    target.setString(text)
    if bold is not None:
        cursor = target.createTextCursor()
        cursor.gotoEnd(True)
        set_properties(cursor, {"CharWeight": 150.0 if bold else 100.0}, text)


@tools.tool("writer.insert_table_rows")
def insert_table_rows(
    doc: Any, rows: list[list[str]], table: str | int = 1, before_row: int | None = None
) -> None:
    """Adds rows to a table, at its end or before a row (counted from 1)."""
    text_table = find_table(doc, table)
    check_rows(rows, text_table.getColumns().getCount())
    count = text_table.getRows().getCount()
    at = count if before_row is None else row_index(text_table, before_row)
    text_table.getRows().insertByIndex(at, len(rows))
    cells = text_table.getCellRangeByPosition(0, at, len(rows[0]) - 1, at + len(rows) - 1)
    cells.setDataArray(as_data(rows))


@tools.tool("writer.delete_table_rows")
def delete_table_rows(doc: Any, row: int, count: int = 1, table: str | int = 1) -> None:
    """Deletes `count` rows of a table from `row` (counted from 1) on."""
    text_table = find_table(doc, table)
    at = row_index(text_table, row)
    row_index(text_table, row + count - 1)
    text_table.getRows().removeByIndex(at, count)


@tools.tool("writer.delete_table")
def delete_table(doc: Any, table: str | int = 1) -> None:
    """Deletes a table with all its text."""
    find_table(doc, table).dispose()


def find_table(doc: Any, table: str | int) -> Any:
    """The table that is meant. Raises OfficeError(not_found), naming the tables there are."""
    tables = doc.getTextTables()
    names = tables.getElementNames()
    if isinstance(table, int) and 1 <= table <= len(names):
        return tables.getByIndex(table - 1)
    if isinstance(table, str) and table in names:
        return tables.getByName(table)
    raise OfficeError(
        "not_found", f"there is no table {table}; tables: {', '.join(names) or 'none'}"
    )


def row_index(table: Any, row: int) -> int:
    """Index of a row counted from 1. Raises OfficeError(not_found)."""
    count = table.getRows().getCount()
    if not 1 <= row <= count:
        raise OfficeError("not_found", f"there is no row {row}; {table.Name} has {count}")
    return row - 1


def check_rows(rows: list[list[str]], columns: int | None = None) -> None:
    """Raises OfficeError(bad_value) unless all rows have `columns` cells (None: as the first)."""
    if not rows or not rows[0]:
        raise OfficeError("bad_value", "rows is empty")
    columns = columns or len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != columns:
            raise OfficeError("bad_value", f"row {number} has {len(row)} cells, not {columns}")


def new_table(doc: Any, cursor: Any, rows: list[list[str]], header: bool) -> str:
    """Inserts a table at a cursor; returns its name."""
    table = doc.createInstance("com.sun.star.text.TextTable")
    table.initialize(len(rows), len(rows[0]))
    cursor.getText().insertTextContent(cursor, table, False)
    whole_range(table).setDataArray(as_data(rows))
    if header:
        first = table.getCellRangeByPosition(0, 0, len(rows[0]) - 1, 0)
        set_properties(first, {"CharWeight": 150.0}, "".join(rows[0]))
    name: str = table.Name
    return name


def whole_range(table: Any) -> Any:
    """All cells of a table."""
    right, bottom = table.getColumns().getCount() - 1, table.getRows().getCount() - 1
    return table.getCellRangeByPosition(0, 0, right, bottom)


def as_data(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    """Rows as `setDataArray` takes them."""
    return tuple(tuple(row) for row in rows)
