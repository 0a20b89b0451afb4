"""Paragraphs of .docx files, and the formatting that holds for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH

from envs.osworld.outside.published.error_policy import Unreadable
from envs.osworld.outside.published.word_files import (
    Word,
    open_document,
    own_property,
    table_texts,
    texts,
)


@pytest.fixture
def word(tmp_path: Path) -> Word:
    document = Document()
    document.add_paragraph("Title", style="Title")
    paragraph = document.add_paragraph("plain ")
    paragraph.add_run("bold").bold = True
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    paragraph.paragraph_format.line_spacing = 2.0
    document.add_paragraph(" ")
    table = document.add_table(1, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = " merged "
    document.save(str(tmp_path / "a.docx"))
    return Word(tmp_path / "a.docx")


def test_texts_without_tables(word: Word) -> None:
    assert texts(word.document) == ["Title", "plain bold", " "]
    assert table_texts(word.document) == [[["merged", "merged"]]]
    assert [paragraph.text for paragraph in word.nonempty_paragraphs] == ["Title", "plain bold"]
    assert len(list(word.in_tables())) == 1


def test_formatting_of_spans(word: Word) -> None:
    plain, bold = word.spans(word.paragraphs[1])
    assert (plain.text, plain.formatting.get("bold")) == ("plain ", None)
    assert (bold.text, bold.formatting["bold"], bold.visible) == ("bold", True, True)
    (title,) = word.spans(word.paragraphs[0])
    assert title.formatting["size"] > plain.formatting["size"], "the style's size"


def test_alignment_and_spacing(word: Word) -> None:
    assert word.alignment(word.paragraphs[1]) == "center"
    assert word.line_spacing(word.paragraphs[1]) == ("auto", 2.0)
    assert own_property(word.paragraphs[1], "jc") == "center"
    assert own_property(word.paragraphs[2], "jc") is None


def test_what_is_no_document(tmp_path: Path) -> None:
    file = tmp_path / "b.docx"
    file.write_text("no")
    for path in (file, tmp_path / "none.docx"):
        with pytest.raises(Unreadable):
            open_document(path)
