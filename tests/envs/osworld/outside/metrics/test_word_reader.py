"""A document is read as what it means: paragraphs, runs, fields, tables."""

from __future__ import annotations

import io
from typing import Any

import pytest
from docx import Document
from docx.enum.text import WD_BREAK

from envs.osworld.format.makers.documents import document_bytes
from envs.osworld.outside.metrics.word_reader import read_document


def read(**content: Any) -> dict[str, Any]:
    return read_document(io.BytesIO(document_bytes(content)))


def test_runs_of_one_formatting_are_one() -> None:
    (paragraph,) = read(body=[{"runs": ["a", "b", {"text": "c", "bold": True}]}])["body"]
    assert [run["text"] for run in paragraph["runs"]] == ["ab", "c"]
    plain, bold = (run["formatting"] for run in paragraph["runs"])
    assert bold == {**plain, "bold": True}


def test_tables_by_row_and_cell() -> None:
    (table,) = read(body=[{"table": [["a", "b"]]}])["body"]
    assert [[cell[0]["runs"][0]["text"] for cell in row] for row in table["table"]] == [["a", "b"]]


def test_a_page_break_belongs_to_the_paragraph_after_it() -> None:
    first, second = read(body=["a", {"text": "b", "break": True}])["body"]
    assert (first["break"], second["break"]) == (False, True)


def test_fields_are_named_in_the_text() -> None:
    (section,) = read(body=["a"], footer=["Page {page} of {pages}"])["sections"]
    (footer,) = section["footer"]
    assert "".join(run["text"] for run in footer["runs"]) == "Page {page} of {pages}"


@pytest.mark.parametrize("breaks", ["page_break_before", "run"])
def test_both_ways_to_break_a_page_read_the_same(breaks: str) -> None:
    document = Document()
    document.add_paragraph("a")
    if breaks == "run":
        document.paragraphs[0].add_run().add_break(WD_BREAK.PAGE)
    paragraph = document.add_paragraph("b")
    paragraph.paragraph_format.page_break_before = breaks != "run" or None
    out = io.BytesIO()
    document.save(out)
    out.seek(0)
    assert [block["break"] for block in read_document(out)["body"]] == [False, True]
