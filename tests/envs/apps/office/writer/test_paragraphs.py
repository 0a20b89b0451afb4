"""Layout of paragraphs in a real document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.shared import Pt

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import saved_document

Call = Any


@pytest.mark.parametrize("alignment", ["left", "center", "right", "justify"])
def test_aligns_paragraphs(call: Call, sample_text: Path, alignment: str) -> None:
    call("writer.paragraph_format", paragraph=1, alignment="center")
    call("writer.paragraph_format", paragraph=1, alignment=alignment)
    expected = WD_ALIGN_PARAGRAPH[alignment.upper()]
    first, second, _ = (item.alignment for item in saved_document(call).paragraphs)
    assert first == expected
    assert second in (None, WD_ALIGN_PARAGRAPH.LEFT)


def test_spaces_and_indents_paragraphs(call: Call, sample_text: Path) -> None:
    call(
        "writer.paragraph_format",
        paragraph=1,
        last_paragraph=2,
        line_spacing=1.5,
        space_before_pt=6,
        space_after_pt=12,
        left_indent_cm=1,
        right_indent_cm=2,
        first_line_indent_cm=-0.5,
    )
    first, second, last = (item.paragraph_format for item in saved_document(call).paragraphs)
    for item in (first, second):
        assert item.line_spacing == pytest.approx(1.5)
        assert (item.space_before.pt, item.space_after.pt) == (6, 12)
        assert item.left_indent.cm == pytest.approx(1, abs=0.01)
        assert item.right_indent.cm == pytest.approx(2, abs=0.01)
        assert item.first_line_indent.cm == pytest.approx(-0.5, abs=0.01)
    assert last.left_indent in (None, 0)


def test_spacing_can_be_set_to_nothing(call: Call, sample_text: Path) -> None:
    call("writer.paragraph_format", paragraph=1, space_after_pt=12, left_indent_cm=1)
    call("writer.paragraph_format", paragraph=1, space_after_pt=0, left_indent_cm=0)
    layout = saved_document(call).paragraphs[0].paragraph_format
    assert (layout.space_after, layout.left_indent) == (0, 0)


def test_sets_an_exact_line_height(call: Call, sample_text: Path) -> None:
    call("writer.paragraph_format", line_height_pt=20)
    heights = {item.paragraph_format.line_spacing for item in saved_document(call).paragraphs}
    assert heights == {Pt(20)}


def test_lays_out_the_paragraphs_that_a_pattern_matches_in(call: Call, sample_text: Path) -> None:
    call("writer.paragraph_format", pattern="delta", alignment="right")
    assert saved_document(call).paragraphs[1].alignment == WD_ALIGN_PARAGRAPH.RIGHT


def test_sets_tab_stops(call: Call, sample_text: Path) -> None:
    call("writer.paragraph_format", paragraph=2, tab_stops_cm=[8, 4], tab_alignment="right")
    all_stops = saved_document(call).paragraphs[1].paragraph_format.tab_stops
    stops = [item for item in all_stops if item.alignment != WD_TAB_ALIGNMENT.CLEAR]
    assert [round(item.position.cm, 1) for item in stops] == [4, 8]
    assert {item.alignment for item in stops} == {WD_TAB_ALIGNMENT.RIGHT}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing to change"),
        ({"line_spacing": 150}, "in lines"),
        ({"paragraph": 4, "alignment": "left"}, "has 3"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(
    call: Call, sample_text: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.paragraph_format", **arguments)


def list_levels(call: Call) -> list[int | None]:
    result = []
    for item in saved_document(call).paragraphs:
        properties = item._p.pPr.numPr if item._p.pPr is not None else None
        listed = properties is not None and properties.numId.val != 0
        result.append(properties.ilvl.val if listed else None)
    return result


@pytest.mark.parametrize("kind", ["bullet", "number"])
def test_makes_lists(call: Call, sample_text: Path, kind: str) -> None:
    call("writer.list", kind=kind, paragraph=1, last_paragraph=2)
    call("writer.list", kind=kind, paragraph=2, level=2)
    assert list_levels(call) == [0, 1, None]
    call("writer.list", kind="none", paragraph=2)
    assert list_levels(call) == [0, None, None]


def test_a_list_without_such_a_level_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="levels 1 to 10"):
        call("writer.list", kind="bullet", paragraph=1, level=0)


def test_begins_pages(call: Call, sample_text: Path) -> None:
    call("writer.page_break", before_paragraph=3)
    assert call("writer.word_count")["pages"] == 2
    call("writer.select", pattern="gamma ")
    call("writer.page_break")
    assert call("writer.word_count")["pages"] == 3
    assert call("writer.read") == "Alpha beta\ngamma \ndelta Alpha\nLast one"


def test_a_page_break_before_nothing_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="has 3"):
        call("writer.page_break", before_paragraph=4)
