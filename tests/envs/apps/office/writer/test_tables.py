"""Tables of a real document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import saved_document

Call = Any


ROWS = [["Name", "Age"], ["Ann", "31"], ["Bob", "27"]]


@pytest.fixture
def table(call: Call, sample_text: Path) -> str:
    name: str = call("writer.insert_table", rows=ROWS, after_paragraph=1)
    return name


def test_inserts_a_table_where_told(call: Call, table: str) -> None:
    assert call("writer.read_table", table=table) == ROWS
    document = saved_document(call)
    (result,) = document.tables
    assert [[cell.text for cell in row.cells] for row in result.rows] == ROWS
    assert [run.bold for run in result.cell(0, 0).paragraphs[0].runs] == [True]
    kinds = [type(item).__name__ for item in document.iter_inner_content()]
    assert kinds.index("Table") < kinds.index("Paragraph", 2)
    assert call("writer.info")["tables"] == [table]


def test_uneven_rows_are_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="row 2 has 1 cells, not 2"):
        call("writer.insert_table", rows=[["a", "b"], ["c"]])
    with pytest.raises(Refused, match="rows is empty"):
        call("writer.insert_table", rows=[])


def test_turns_text_into_a_table(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="before\nName, Age\nAnn, 31\nBob\nafter")
    call("writer.text_to_table", paragraph=2, last_paragraph=4)
    assert call("writer.read_table") == [["Name", "Age"], ["Ann", "31"], ["Bob", ""]]
    assert [item.text for item in saved_document(call).paragraphs if item.text] == [
        "before",
        "after",
    ]


def test_text_without_the_separator_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="no ';' in these"):
        call("writer.text_to_table", paragraph=1, last_paragraph=2, separator=";")
    assert len(call("writer.info")["paragraphs"]) == 3


def test_sets_a_cell(call: Call, table: str) -> None:
    call("writer.set_table_cell", cell="b2", text="32", bold=True)
    cell = saved_document(call).tables[0].cell(1, 1)
    assert (cell.text, cell.paragraphs[0].runs[0].bold) == ("32", True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"cell": "C9"}, "no cell C9; .* has A1 to B3"), ({"cell": "A1", "table": 2}, "no table 2")],
)
def test_a_wrong_cell_is_refused(
    call: Call, table: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.set_table_cell", text="x", **arguments)


def test_reading_a_missing_table_names_those_there_are(call: Call, table: str) -> None:
    with pytest.raises(Refused, match=f"tables: {table}"):
        call("writer.read_table", table="Prices")


def test_adds_and_deletes_rows(call: Call, table: str) -> None:
    call("writer.insert_table_rows", rows=[["Cy", "40"]])
    call("writer.insert_table_rows", rows=[["Al", "20"]], before_row=2)
    names = ["Name", "Al", "Ann", "Bob", "Cy"]
    assert [row[0] for row in call("writer.read_table")] == names
    call("writer.delete_table_rows", row=2, count=2)
    assert [row[0] for row in call("writer.read_table")] == ["Name", "Bob", "Cy"]


def test_rows_that_are_not_there_are_refused(call: Call, table: str) -> None:
    with pytest.raises(Refused, match=r"no row 4; .* has 3"):
        call("writer.delete_table_rows", row=3, count=2)
    with pytest.raises(Refused, match="row 1 has 1 cells, not 2"):
        call("writer.insert_table_rows", rows=[["x"]])


def test_deletes_a_table(call: Call, table: str) -> None:
    call("writer.delete_table", table=table)
    assert saved_document(call).tables == []
    with pytest.raises(Refused, match="tables: none"):
        call("writer.delete_table")
