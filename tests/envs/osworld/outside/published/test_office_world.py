"""OfficeWorld's metrics: what counts and what does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_BREAK
from PIL import Image
from pptx.util import Inches

from envs.osworld.outside.published.office_world import simple_docx_compare, simple_pptx_compare
from tests.envs.osworld.outside.published.made_documents import picture, rows_of, word
from tests.envs.osworld.outside.published.made_slides import presentation

Write = Callable[[Any], object]


@pytest.fixture
def red(tmp_path: Path) -> Path:
    Image.new("RGB", (8, 8), "red").save(tmp_path / "red.png")
    return tmp_path / "red.png"


def test_what_is_no_document_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(b"PK nothing")
    assert simple_docx_compare(path, path) == 0
    assert simple_pptx_compare(path, path) == 0


def test_documents_with_the_same_text_are_the_same(tmp_path: Path) -> None:
    gold = word(tmp_path / "gold.docx", "One two.", "Three")
    assert simple_docx_compare(word(tmp_path / "same.docx", "One two.", "", "Three"), gold) == 1
    assert simple_docx_compare(word(tmp_path / "other.docx", "One two.", "Four"), gold) == 0
    assert simple_docx_compare(word(tmp_path / "turned.docx", "Three", "One two."), gold) == 0


def page_break(document: Any) -> None:
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)


def comment(document: Any) -> None:
    document.add_comment(document.paragraphs[0].runs, text="WHY?")


def other_comment(document: Any) -> None:
    document.add_comment(document.paragraphs[0].runs, text="HOW?")


@pytest.mark.parametrize(
    ("first_write", "other"),
    [
        (page_break, lambda document: None),
        (rows_of(["a"]), rows_of(["b"])),
        (rows_of(["a"], ["b"]), rows_of(["a"])),
        (comment, lambda document: None),
        (comment, other_comment),
    ],
)
def test_what_stands_in_a_document_counts(first_write: Write, other: Write, tmp_path: Path) -> None:
    first, second = (
        word(tmp_path / f"{name}.docx", "Text", write=write)
        for name, write in (("first", first_write), ("second", other))
    )
    assert simple_docx_compare(first, first) == 1
    assert simple_docx_compare(first, second) == 0


def test_a_picture_stands_where_it_stands(tmp_path: Path, red: Path) -> None:
    first = word(tmp_path / "first.docx", "One", write=lambda made: picture(made, red))

    def add_picture_before(document: Any) -> None:
        picture(document, red)
        document.element.body.insert(0, document.paragraphs[-1]._p)

    assert (
        simple_docx_compare(word(tmp_path / "before.docx", "One", write=add_picture_before), first)
        == 0
    )


def test_slides_with_the_same_parts_are_the_same(tmp_path: Path, red: Path) -> None:
    def pictured(left: float, slide: int = 0) -> Write:
        return lambda made: made.slides[slide].shapes.add_picture(str(red), Inches(left), 0)

    gold = presentation(tmp_path / "gold.pptx", pictured(1))
    assert simple_pptx_compare(presentation(tmp_path / "moved.pptx", pictured(2)), gold) == 1
    assert simple_pptx_compare(presentation(tmp_path / "none.pptx"), gold) == 0
    assert simple_pptx_compare(presentation(tmp_path / "second.pptx", pictured(1, 1)), gold) == 0


def test_slides_and_texts_count(tmp_path: Path) -> None:
    gold = presentation(tmp_path / "gold.pptx")

    def change_title(made: Any) -> None:
        made.slides[1].shapes.title.text = "Other"

    def swap_slides(made: Any) -> None:
        made.slides._sldIdLst.insert(0, made.slides._sldIdLst[1])

    def blank(made: Any) -> None:
        made.slides.add_slide(made.slide_layouts[6])

    def add_table(made: Any) -> None:
        table = made.slides[0].shapes.add_table(1, 1, 0, 0, Inches(1), Inches(1)).table
        table.cell(0, 0).text = "a"

    assert simple_pptx_compare(presentation(tmp_path / "same.pptx"), gold) == 1
    for name, write in (("t", change_title), ("u", swap_slides), ("b", blank), ("a", add_table)):
        assert simple_pptx_compare(presentation(tmp_path / f"{name}.pptx", write), gold) == 0
