"""Writer tools on text tables. Tables go by name or by number from 1, cells by address ("B2")."""

from __future__ import annotations

from typing import Any

from envs.office.characters import set_properties
from envs.office.registry import OfficeError, office_tool
from envs.office.writer_ranges import Where, place, span


@office_tool("writer.insert_table", "writer")
def insert_table(
    doc: Any,
    rows: list[list[str]],
    where: Where = "end",
    after_paragraph: int | None = None,
    header: bool = True,
) -> str:
    """Inserts a table filled with `rows`; gives its name. header: the first row is bold."""
    check_rows(rows)
    return new_table(doc, place(doc, where, after_paragraph), rows, header)


@office_tool("writer.text_to_table", "writer")
def text_to_table(
    doc: Any,
    paragraph: int,
    last_paragraph: int,
    separator: str = ",",
    header: bool = False,
) -> str:
    """Turns paragraphs into a table, one row each, split at the separator; gives its name."""
    lines = span(doc, paragraph, last_paragraph)
    rows = [
        [part.strip() for part in line.split(separator)] for line in lines.getString().split("\n")
    ]
    columns = max(len(row) for row in rows)
    if columns == 1:
        raise OfficeError("bad_value", f"no {separator!r} in these paragraphs to split them at")
    lines.setString("")
    return new_table(doc, lines, [row + [""] * (columns - len(row)) for row in rows], header)


@office_tool("writer.read_table", "writer")
def read_table(doc: Any, table: str | int = 1) -> list[list[str]]:
    """Gives the texts of a table, row by row."""
    found = table_called(doc, table)
    return [[str(text) for text in row] for row in whole(found).getDataArray()]


@office_tool("writer.set_table_cell", "writer")
def set_table_cell(
    doc: Any, cell: str, text: str, table: str | int = 1, bold: bool | None = None
) -> None:
    """Sets the text of one cell, such as "B2" (column B, row 2)."""
    found = table_called(doc, table)
    target = found.getCellByName(cell.upper())
    if target is None:
        names = found.getCellNames()
        raise OfficeError(
            "not_found", f"there is no cell {cell}; {found.Name} has {names[0]} to {names[-1]}"
        )
    target.setString(text)
    if bold is not None:
        cursor = target.createTextCursor()
        cursor.gotoEnd(True)
        set_properties(cursor, {"CharWeight": 150.0 if bold else 100.0}, text)


@office_tool("writer.insert_table_rows", "writer")
def insert_table_rows(
    doc: Any, rows: list[list[str]], table: str | int = 1, before_row: int | None = None
) -> None:
    """Adds rows to a table, at its end or before a row (counted from 1)."""
    found = table_called(doc, table)
    check_rows(rows, found.getColumns().getCount())
    count = found.getRows().getCount()
    at = count if before_row is None else row_index(found, before_row)
    found.getRows().insertByIndex(at, len(rows))
    cells = found.getCellRangeByPosition(0, at, len(rows[0]) - 1, at + len(rows) - 1)
    cells.setDataArray(as_data(rows))


@office_tool("writer.delete_table_rows", "writer")
def delete_table_rows(doc: Any, row: int, count: int = 1, table: str | int = 1) -> None:
    """Deletes `count` rows of a table from `row` (counted from 1) on."""
    found = table_called(doc, table)
    at = row_index(found, row)
    row_index(found, row + count - 1)
    found.getRows().removeByIndex(at, count)


@office_tool("writer.delete_table", "writer")
def delete_table(doc: Any, table: str | int = 1) -> None:
    """Deletes a table with all its text."""
    table_called(doc, table).dispose()


def table_called(doc: Any, table: str | int) -> Any:
    """Raises OfficeError(not_found), naming the tables there are."""
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
    count = table.getRows().getCount()
    if not 1 <= row <= count:
        raise OfficeError("not_found", f"there is no row {row}; {table.Name} has {count}")
    return row - 1


def check_rows(rows: list[list[str]], columns: int | None = None) -> None:
    if not rows or not rows[0]:
        raise OfficeError("bad_value", "rows is empty")
    columns = columns or len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != columns:
            raise OfficeError("bad_value", f"row {number} has {len(row)} cells, not {columns}")


def new_table(doc: Any, cursor: Any, rows: list[list[str]], header: bool) -> str:
    table = doc.createInstance("com.sun.star.text.TextTable")
    table.initialize(len(rows), len(rows[0]))
    cursor.getText().insertTextContent(cursor, table, False)
    whole(table).setDataArray(as_data(rows))
    if header:
        first = table.getCellRangeByPosition(0, 0, len(rows[0]) - 1, 0)
        set_properties(first, {"CharWeight": 150.0}, "".join(rows[0]))
    name: str = table.Name
    return name


def whole(table: Any) -> Any:
    right, bottom = table.getColumns().getCount() - 1, table.getRows().getCount() - 1
    return table.getCellRangeByPosition(0, 0, right, bottom)


def as_data(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)
