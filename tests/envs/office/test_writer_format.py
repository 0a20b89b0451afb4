"""Formatting characters, paragraphs, styles and pages of a real Writer document."""

from __future__ import annotations

import contextlib
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_COLOR_INDEX, WD_TAB_ALIGNMENT
from docx.shared import Cm, Pt, RGBColor
from real_office import BridgeProcess, Refused, running_office

Call = Any


@pytest.fixture
def written(call: Call, letter: Path) -> Path:
    call("writer.insert_text", text="Alpha beta\ngamma delta Alpha\nLast one")
    return letter


@contextlib.contextmanager
def one_office(profile: Path) -> Iterator[Call]:
    with running_office(profile) as pipe:
        bridge = BridgeProcess(pipe)
        try:
            yield bridge.call
        finally:
            bridge.close()


def saved(call: Call) -> Any:
    return docx.Document(call("writer.save"))


def formatted(call: Call, attribute: str) -> dict[str, Any]:
    """Text of each run that has the attribute, and its value."""
    runs = [run for paragraph in saved(call).paragraphs for run in paragraph.runs]
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
    call: Call, written: Path, arguments: dict[str, Any], attribute: str, value: Any
) -> None:
    assert call("writer.format", pattern="delta|beta", **arguments) == 2
    assert formatted(call, attribute) == {"beta": value, "delta": value}


@pytest.mark.parametrize("colour", ["#FF8800", "ff8800", "orange"])
def test_colours_text_by_number_or_name(call: Call, written: Path, colour: str) -> None:
    call("writer.format", pattern="beta", colour=colour)
    runs = saved(call).paragraphs[0].runs
    expected = RGBColor(0xFF, 0xA5 if colour == "orange" else 0x88, 0)
    assert [run.text for run in runs if run.font.color.rgb == expected] == ["beta"]


def test_formats_whole_paragraphs(call: Call, written: Path) -> None:
    assert call("writer.format", paragraph=2, last_paragraph=3, bold=True) == 1
    assert formatted(call, "bold") == {"gamma delta Alpha": True, "Last one": True}


def test_formats_matches_inside_some_paragraphs_only(call: Call, written: Path) -> None:
    assert call("writer.format", pattern="Alpha", paragraph=2, italic=True) == 1
    paragraphs = saved(call).paragraphs
    assert not paragraphs[0].runs[0].italic
    assert [run.text for run in paragraphs[1].runs if run.italic] == ["Alpha"]


@pytest.mark.parametrize("table_first", [True, False])
def test_formats_the_whole_document_with_its_tables(
    call: Call, written: Path, table_first: bool
) -> None:
    call("writer.insert_table", rows=[["cell"]], where="start" if table_first else "end")
    call("writer.format", size=18)
    document = saved(call)
    sizes = {run.font.size for one in document.paragraphs for run in one.runs}
    assert sizes == {Pt(18)}
    (cell,) = document.tables[0].rows[0].cells
    assert cell.paragraphs[0].runs[0].font.size == Pt(18)


def test_formatting_can_be_taken_back(call: Call, written: Path) -> None:
    call("writer.format", bold=True)
    call("writer.format", bold=False, paragraph=1)
    assert [bool(one.runs[0].bold) for one in saved(call).paragraphs] == [False, True, True]


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
        ({"colour": "reddish"}, "is no colour; use #RRGGBB"),
        ({"size": 0}, "no font size"),
        ({"paragraph": 8, "bold": True}, "the document has 3"),
    ],
)
def test_formatting_that_cannot_be_is_refused(
    call: Call, written: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.format", **arguments)


@pytest.fixture
def highlighted(call: Call, written: Path) -> Path:
    call("writer.insert_table", rows=[["cell"]])
    call("writer.format", pattern="beta|cell", highlight="yellow")
    call("writer.format", pattern="delta", highlight="#00FF00")
    return written


def test_finds_highlighted_text(call: Call, highlighted: Path) -> None:
    assert call("writer.find_highlighted") == [
        {"paragraph": 1, "text": "beta", "colour": "#FFFF00"},
        {"paragraph": 2, "text": "delta", "colour": "#00FF00"},
        {"paragraph": None, "text": "cell", "colour": "#FFFF00"},
    ]
    assert [one["text"] for one in call("writer.find_highlighted", colour="lime")] == ["delta"]


def test_clears_highlighting(call: Call, highlighted: Path) -> None:
    assert call("writer.clear_highlight", colour="yellow", paragraph=1) == 1
    assert formatted(call, "highlight_color") == {"delta": WD_COLOR_INDEX.BRIGHT_GREEN}
    assert call("writer.clear_highlight") == 2
    assert call("writer.find_highlighted") == []
    assert formatted(call, "highlight_color") == {}


def test_clears_highlighting_that_word_wrote(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "word.docx"
    document = docx.Document()
    document.add_paragraph("plain ").add_run("marked").font.highlight_color = WD_COLOR_INDEX.PINK
    document.save(path)
    call("office.open", path=str(path))
    try:
        assert [one["text"] for one in call("writer.find_highlighted")] == ["marked"]
        call("writer.clear_highlight")
        assert formatted(call, "highlight_color") == {}
    finally:
        call("office.close", path=str(path))


def test_asking_for_no_colour_is_refused(call: Call, highlighted: Path) -> None:
    with pytest.raises(Refused, match="is no colour"):
        call("writer.clear_highlight", colour="all")


@pytest.mark.parametrize("alignment", ["left", "center", "right", "justify"])
def test_aligns_paragraphs(call: Call, written: Path, alignment: str) -> None:
    call("writer.paragraph_format", paragraph=1, alignment="center")
    call("writer.paragraph_format", paragraph=1, alignment=alignment)
    expected = WD_ALIGN_PARAGRAPH[alignment.upper()]
    first, second, _ = (one.alignment for one in saved(call).paragraphs)
    assert first == expected
    assert second in (None, WD_ALIGN_PARAGRAPH.LEFT)


def test_spaces_and_indents_paragraphs(call: Call, written: Path) -> None:
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
    first, second, last = (one.paragraph_format for one in saved(call).paragraphs)
    for one in (first, second):
        assert one.line_spacing == pytest.approx(1.5)
        assert (one.space_before.pt, one.space_after.pt) == (6, 12)
        assert one.left_indent.cm == pytest.approx(1, abs=0.01)
        assert one.right_indent.cm == pytest.approx(2, abs=0.01)
        assert one.first_line_indent.cm == pytest.approx(-0.5, abs=0.01)
    assert last.left_indent in (None, 0)


def test_spacing_can_be_set_to_nothing(call: Call, written: Path) -> None:
    call("writer.paragraph_format", paragraph=1, space_after_pt=12, left_indent_cm=1)
    call("writer.paragraph_format", paragraph=1, space_after_pt=0, left_indent_cm=0)
    layout = saved(call).paragraphs[0].paragraph_format
    assert (layout.space_after, layout.left_indent) == (0, 0)


def test_sets_an_exact_line_height(call: Call, written: Path) -> None:
    call("writer.paragraph_format", line_height_pt=20)
    heights = {one.paragraph_format.line_spacing for one in saved(call).paragraphs}
    assert heights == {Pt(20)}


def test_lays_out_the_paragraphs_that_a_pattern_matches_in(call: Call, written: Path) -> None:
    call("writer.paragraph_format", pattern="delta", alignment="right")
    assert saved(call).paragraphs[1].alignment == WD_ALIGN_PARAGRAPH.RIGHT


def test_sets_tab_stops(call: Call, written: Path) -> None:
    call("writer.paragraph_format", paragraph=2, tab_stops_cm=[8, 4], tab_alignment="right")
    all_stops = saved(call).paragraphs[1].paragraph_format.tab_stops
    stops = [one for one in all_stops if one.alignment != WD_TAB_ALIGNMENT.CLEAR]
    assert [round(one.position.cm, 1) for one in stops] == [4, 8]
    assert {one.alignment for one in stops} == {WD_TAB_ALIGNMENT.RIGHT}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing to change"),
        ({"line_spacing": 150}, "in lines"),
        ({"paragraph": 4, "alignment": "left"}, "has 3"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(
    call: Call, written: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.paragraph_format", **arguments)


def list_levels(call: Call) -> list[int | None]:
    found = []
    for one in saved(call).paragraphs:
        properties = one._p.pPr.numPr if one._p.pPr is not None else None
        listed = properties is not None and properties.numId.val != 0
        found.append(properties.ilvl.val if listed else None)
    return found


@pytest.mark.parametrize("kind", ["bullet", "number"])
def test_makes_lists(call: Call, written: Path, kind: str) -> None:
    call("writer.list", kind=kind, paragraph=1, last_paragraph=2)
    call("writer.list", kind=kind, paragraph=2, level=2)
    assert list_levels(call) == [0, 1, None]
    call("writer.list", kind="none", paragraph=2)
    assert list_levels(call) == [0, None, None]


def test_a_list_without_such_a_level_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="levels 1 to 10"):
        call("writer.list", kind="bullet", paragraph=1, level=0)


def test_begins_pages(call: Call, written: Path) -> None:
    call("writer.page_break", before_paragraph=3)
    assert call("writer.word_count")["pages"] == 2
    call("writer.select", pattern="gamma ")
    call("writer.page_break")
    assert call("writer.word_count")["pages"] == 3
    assert call("writer.read") == "Alpha beta\ngamma \ndelta Alpha\nLast one"


def test_a_page_break_before_nothing_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="has 3"):
        call("writer.page_break", before_paragraph=4)


def test_applies_styles_by_the_names_people_use(call: Call, written: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.apply_style", style="Normal", paragraph=2)
    names = [one.style.name for one in saved(call).paragraphs]
    assert names == ["Heading 1", "Normal", "Normal"]


def test_an_unknown_style_names_similar_ones(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match=r"similar:.*Heading 1"):
        call("writer.apply_style", style="Headline 1", paragraph=1)


def test_edits_a_style(call: Call, written: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.edit_style", style="Heading 1", font="Liberation Mono", size=30, colour="red")
    font = saved(call).paragraphs[0].style.font
    assert (font.name, font.size, font.color.rgb) == (
        "Liberation Mono",
        Pt(30),
        RGBColor(255, 0, 0),
    )
    with pytest.raises(Refused, match="no paragraph style 'Nope'"):
        call("writer.edit_style", style="Nope", bold=True)


def test_the_default_font_holds_here_and_after_a_restart(tmp_path: Path) -> None:
    here, later = tmp_path / "here.docx", tmp_path / "later.docx"
    settings = tmp_path / "profile/user/registrymodifications.xcu"
    with one_office(tmp_path) as call:
        call("office.new", kind="writer", path=str(here))
        call("writer.set_default_font", font="Liberation Mono")
        assert saved(call).styles["Normal"].font.name == "Liberation Mono"
        deadline = time.monotonic() + 20
        while "Liberation Mono" not in settings.read_text() and time.monotonic() < deadline:
            time.sleep(0.1)
    with one_office(tmp_path) as call:
        call("office.new", kind="writer", path=str(later))
    assert docx.Document(str(later)).styles["Normal"].font.name == "Liberation Mono"


def test_an_empty_default_font_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="needs a name"):
        call("writer.set_default_font", font=" ")


def test_turns_and_sizes_pages(call: Call, written: Path) -> None:
    now = call("writer.page_setup", orientation="landscape", paper="A4", left_cm=3, columns=2)
    assert (now["width_cm"], now["height_cm"], now["columns"]) == (29.7, 21.0, 2)
    section = saved(call).sections[0]
    assert section.page_width > section.page_height
    assert section.left_margin == pytest.approx(Cm(3), abs=Cm(0.01))
    back = call("writer.page_setup", orientation="portrait", paper="Letter")
    assert (back["width_cm"], back["height_cm"]) == (21.59, 27.94)
    assert back["margins_cm"]["left"] == 3


@pytest.mark.parametrize(
    ("arguments", "words"), [({"left_cm": -1}, "LeftMargin"), ({"columns": 0}, "1 to 20")]
)
def test_pages_that_cannot_be_are_refused(
    call: Call, written: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.page_setup", **arguments)


@pytest.mark.parametrize("part", ["header", "footer"])
def test_writes_headers_and_footers(call: Call, written: Path, part: str) -> None:
    call("writer.header_footer", part=part, text="first try")
    call("writer.header_footer", part=part, text="Top secret", alignment="right")
    (paragraph,) = getattr(saved(call).sections[0], part).paragraphs
    assert (paragraph.text, paragraph.alignment) == ("Top secret", WD_ALIGN_PARAGRAPH.RIGHT)
    call("writer.header_footer", part=part)
    assert getattr(saved(call).sections[0], part).is_linked_to_previous


def test_numbers_pages_below_the_footer(call: Call, written: Path) -> None:
    call("writer.header_footer", part="footer", text="Mine")
    call("writer.page_numbers", form="Page {page} of {pages}", alignment="right")
    first, second = saved(call).sections[0].footer.paragraphs
    assert (first.text, second.text) == ("Mine", "Page 1 of 1")
    assert second.alignment == WD_ALIGN_PARAGRAPH.RIGHT
    codes = [one.text.strip() for one in second._p.iter() if one.tag.endswith("}instrText")]
    assert [code.split()[0] for code in codes] == ["PAGE", "NUMPAGES"]


def test_page_numbers_need_the_number(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="must contain"):
        call("writer.page_numbers", form="Page")
