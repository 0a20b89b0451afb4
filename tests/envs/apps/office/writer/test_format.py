"""Formatting of characters in a real document."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.text import WD_COLOR_INDEX
from docx.shared import Pt, RGBColor

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import saved_document

Call = Any


def formatted_runs(call: Call, attribute: str) -> dict[str, Any]:
    """Text of each run that has the attribute, and its value."""
    runs = [run for paragraph in saved_document(call).paragraphs for run in paragraph.runs]
    return {run.text: value for run in runs if (value := getattr(run.font, attribute)) is not None}


@pytest.mark.parametrize(
    ("arguments", "attribute", "value"),
    [
        ({"bold": True}, "bold", True),
        ({"italic": True}, "italic", True),
        ({"underline": True}, "underline", True),
        ({"strikethrough": True}, "strike", True),
        ({"font": "Liberation Mono"}, "name", "Liberation Mono"),
        ({"size": 20}, "size", Pt(20)),
        ({"size": 10.5}, "size", Pt(10.5)),
        ({"script": "super"}, "superscript", True),
        ({"script": "sub"}, "subscript", True),
        ({"highlight": "yellow"}, "highlight_color", WD_COLOR_INDEX.YELLOW),
    ],
)
def test_formats_what_a_pattern_matches(
    call: Call, sample_text: Path, arguments: dict[str, Any], attribute: str, value: Any
) -> None:
    assert call("writer.format", pattern="delta|beta", **arguments) == 2
    assert formatted_runs(call, attribute) == {"beta": value, "delta": value}


@pytest.mark.parametrize("colour", ["#FF8800", "ff8800", "orange"])
def test_colours_text_by_number_or_name(call: Call, sample_text: Path, colour: str) -> None:
    call("writer.format", pattern="beta", colour=colour)
    runs = saved_document(call).paragraphs[0].runs
    expected = RGBColor(0xFF, 0xA5 if colour == "orange" else 0x88, 0)
    assert [run.text for run in runs if run.font.color.rgb == expected] == ["beta"]


def test_formats_whole_paragraphs(call: Call, sample_text: Path) -> None:
    assert call("writer.format", paragraph=2, last_paragraph=3, bold=True) == 1
    assert formatted_runs(call, "bold") == {"gamma delta Alpha": True, "Last one": True}


def test_formats_matches_inside_some_paragraphs_only(call: Call, sample_text: Path) -> None:
    assert call("writer.format", pattern="Alpha", paragraph=2, italic=True) == 1
    paragraphs = saved_document(call).paragraphs
    assert not paragraphs[0].runs[0].italic
    assert [run.text for run in paragraphs[1].runs if run.italic] == ["Alpha"]


@pytest.mark.parametrize("table_first", [True, False])
def test_formats_the_whole_document_with_its_tables(
    call: Call, sample_text: Path, table_first: bool
) -> None:
    call("writer.insert_table", rows=[["cell"]], where="start" if table_first else "end")
    call("writer.format", size=18)
    document = saved_document(call)
    sizes = {run.font.size for item in document.paragraphs for run in item.runs}
    assert sizes == {Pt(18)}
    (cell,) = document.tables[0].rows[0].cells
    assert cell.paragraphs[0].runs[0].font.size == Pt(18)


def test_formatting_can_be_taken_back(call: Call, sample_text: Path) -> None:
    call("writer.format", bold=True)
    call("writer.format", bold=False, paragraph=1)
    assert [bool(item.runs[0].bold) for item in saved_document(call).paragraphs] == [
        False,
        True,
        True,
    ]


def test_formats_letters_of_other_scripts(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="中文 text")
    call("writer.format", bold=True, size=30)
    call("writer.save")
    xml = zipfile.ZipFile(letter).read("word/document.xml").decode()
    assert '<w:szCs w:val="60"/>' in xml
    assert "<w:bCs/>" in xml


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pattern": "zeta", "bold": True}, "nothing matches"),
        ({"pattern": "Last", "paragraph": 1, "bold": True}, "nothing matches"),
        ({"pattern": "beta"}, "nothing to change"),
        ({"colour": "reddish"}, "is not a colour; use #RRGGBB"),
        ({"size": 0}, "not a font size"),
        ({"paragraph": 8, "bold": True}, "the document has 3"),
    ],
)
def test_formatting_that_cannot_be_is_refused(
    call: Call, sample_text: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.format", **arguments)


@pytest.fixture
def highlighted_text(call: Call, sample_text: Path) -> Path:
    call("writer.insert_table", rows=[["cell"]])
    call("writer.format", pattern="beta|cell", highlight="yellow")
    call("writer.format", pattern="delta", highlight="#00FF00")
    return sample_text


def test_finds_highlighted_text(call: Call, highlighted_text: Path) -> None:
    assert call("writer.find_highlighted") == [
        {"paragraph": 1, "text": "beta", "colour": "#FFFF00"},
        {"paragraph": 2, "text": "delta", "colour": "#00FF00"},
        {"paragraph": None, "text": "cell", "colour": "#FFFF00"},
    ]
    assert [item["text"] for item in call("writer.find_highlighted", colour="lime")] == ["delta"]


def test_clears_highlighting(call: Call, highlighted_text: Path) -> None:
    assert call("writer.clear_highlight", colour="yellow", paragraph=1) == 1
    assert formatted_runs(call, "highlight_color") == {"delta": WD_COLOR_INDEX.BRIGHT_GREEN}
    assert call("writer.clear_highlight") == 2
    assert call("writer.find_highlighted") == []
    assert formatted_runs(call, "highlight_color") == {}


def test_clears_highlighting_that_word_wrote(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "word.docx"
    document = docx.Document()
    document.add_paragraph("plain ").add_run("marked").font.highlight_color = WD_COLOR_INDEX.PINK
    document.save(path)
    call("office.open", path=str(path))
    try:
        assert [item["text"] for item in call("writer.find_highlighted")] == ["marked"]
        call("writer.clear_highlight")
        assert formatted_runs(call, "highlight_color") == {}
    finally:
        call("office.close", path=str(path))


def test_asking_for_no_colour_is_refused(call: Call, highlighted_text: Path) -> None:
    with pytest.raises(Refused, match="is not a colour"):
        call("writer.clear_highlight", colour="all")
