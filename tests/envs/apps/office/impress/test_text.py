"""Text and its formatting on the slides of a real presentation."""

from __future__ import annotations

import concurrent.futures
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Pt

from tests.envs.apps.office.impress.reading import saved_slide, text_runs
from tests.envs.apps.office.real_office import BridgeProcess, Refused

Call = Any


def test_sets_text_in_paragraphs(call: Call, slide: int) -> None:
    call("impress.set_text", slide=slide, shape=2, text="a\n\tb\nc")
    paragraphs = saved_slide(call).shapes[1].text_frame.paragraphs
    assert [(item.text, item.level) for item in paragraphs] == [("a", 0), ("b", 1), ("c", 0)]


@pytest.mark.parametrize(
    ("arguments", "attribute", "value"),
    [
        ({"bold": True}, "bold", True),
        ({"italic": True}, "italic", True),
        ({"underline": True}, "underline", True),
        ({"font": "DejaVu Sans"}, "name", "DejaVu Sans"),
        ({"size": 30}, "size", Pt(30)),
    ],
)
def test_formats_what_a_pattern_matches(
    call: Call, slide: int, arguments: dict[str, Any], attribute: str, value: Any
) -> None:
    before = saved_slide(call)
    plain = getattr(text_runs(before.shapes[1])[0].font, attribute)
    assert plain != value
    assert call("impress.format", slide=slide, pattern="red", **arguments) == 2
    result = text_runs(saved_slide(call).shapes[1])
    changed = [item.text for item in result if getattr(item.font, attribute) == value]
    assert changed == ["red", "red"]


def test_a_pattern_matches_within_paragraphs(call: Call, slide: int) -> None:
    call("impress.set_text", slide=slide, shape="content", text="😀 red 1\nred 22\n\nblue 3 red")
    assert call("impress.format", slide=slide, shape="content", pattern="^red", bold=True) == 1
    assert call("impress.format", slide=slide, shape="content", pattern=r"\d*$", italic=True) == 2
    runs = text_runs(saved_slide(call).shapes[1])
    assert [run.text for run in runs if run.font.bold] == ["red"]
    assert [run.text for run in runs if run.font.italic] == ["1", "22"]


def test_other_calls_go_on_while_a_pattern_takes_long(
    call: Call, slide: int, office_pipe: str
) -> None:
    call("impress.set_text", slide=slide, shape="content", text="a" * 60 + "!")
    other = BridgeProcess(office_pipe)
    assert other.call("impress.info")["current_slide"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        searching = pool.submit(call, "impress.format", slide=slide, pattern="(a+)+$", bold=True)
        time.sleep(0.5)
        assert other.call("impress.info")["current_slide"]
        assert not searching.done()
        assert isinstance(searching.exception(), Refused)
    other.close()


@pytest.mark.parametrize(
    ("arguments", "attribute"),
    [
        ({"strikethrough": True}, 'strike="sngStrike"'),
        ({"script": "super"}, 'baseline="3'),
        ({"script": "sub"}, 'baseline="-'),
        ({"highlight": "yellow"}, '<a:highlight><a:srgbClr val="ffff00"'),
    ],
)
def test_formats_what_python_pptx_does_not_read(
    call: Call, slides: Path, slide: int, arguments: dict[str, Any], attribute: str
) -> None:
    call("impress.format", slide=slide, pattern="green", **arguments)
    call("impress.save")
    with zipfile.ZipFile(slides) as archive:
        xml = archive.read("ppt/slides/slide2.xml").decode()
    assert attribute in xml


def test_colours_one_shape_only(call: Call, slide: int) -> None:
    assert call("impress.format", slide=slide, shape="title", colour="#00AA00") == 1
    page = saved_slide(call)
    assert {item.font.color.rgb for item in text_runs(page.shapes.title)} == {RGBColor(0, 0xAA, 0)}
    assert text_runs(page.shapes[1])[0].font.color.type is None or (
        text_runs(page.shapes[1])[0].font.color.rgb != RGBColor(0, 0xAA, 0)
    )


def test_formats_after_letters_outside_the_basic_plane(call: Call, slide: int) -> None:
    call("impress.set_text", slide=slide, shape="title", text="🎉 and words\nnext words")
    call("impress.format", slide=slide, shape="title", pattern="words$", bold=True)
    bold = [item.text for item in text_runs(saved_slide(call).shapes.title) if item.font.bold]
    assert bold == ["words", "words"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"slide": 2, "pattern": "zeta", "bold": True}, "nothing matches"),
        ({"slide": 2, "pattern": "(red", "bold": True}, "not a regular expression"),
        ({"slide": 2}, "nothing to change"),
        ({"shape": "title", "bold": True}, "needs the slide"),
        ({"slide": 1, "bold": True}, "no text there"),
    ],
)
def test_formatting_that_cannot_be_is_refused(
    call: Call, slide: int, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("impress.format", **arguments)


def test_replaces_text_and_keeps_its_formatting(call: Call, slide: int) -> None:
    call("impress.format", slide=slide, pattern="red", bold=True)
    assert call("impress.find_replace", find="Red", replace="blue", match_case=False) == 2
    shape = saved_slide(call).shapes[1]
    assert shape.text_frame.text == "blue apple\ngreen pear\nblue plum"
    assert [item.text for item in text_runs(shape) if item.font.bold] == ["blue", "blue"]


def test_replacing_what_is_not_there_is_refused(call: Call, slide: int) -> None:
    with pytest.raises(Refused, match=r"'r\.d' is not there"):
        call("impress.find_replace", find="r.d", replace="x")


@pytest.mark.parametrize("alignment", ["left", "center", "right", "justify"])
def test_aligns_text(call: Call, slide: int, alignment: str) -> None:
    arguments = {"slide": slide, "shape": "content"}
    call("impress.paragraph_format", **arguments, alignment="center")
    call("impress.paragraph_format", **arguments, paragraph=2, alignment=alignment)
    result = [item.alignment for item in saved_slide(call).shapes[1].text_frame.paragraphs]
    expected = PP_ALIGN[alignment.upper()]
    assert result[0] == result[2] == PP_ALIGN.CENTER
    assert result[1] in ((expected, None) if alignment == "left" else (expected,))


def test_spaces_paragraphs(call: Call, slide: int) -> None:
    call(
        "impress.paragraph_format",
        slide=slide,
        shape="content",
        paragraph=1,
        last_paragraph=2,
        line_spacing=1.5,
        space_before_pt=6,
        space_after_pt=12,
        vertical="bottom",
    )
    frame = saved_slide(call).shapes[1].text_frame
    assert [item.line_spacing for item in frame.paragraphs[:2]] == [1.5, 1.5]
    assert frame.paragraphs[2].line_spacing != 1.5
    assert [round(item.space_after.pt) for item in frame.paragraphs[:2]] == [12, 12]
    assert round(frame.paragraphs[0].space_before.pt) == 6
    assert frame.vertical_anchor == MSO_ANCHOR.BOTTOM


@pytest.mark.parametrize(
    ("marker", "tags"),
    [("bullet", ["a:buChar"]), ("number", ["a:buAutoNum"]), ("none", [])],
)
def test_marks_paragraphs(call: Call, slide: int, marker: str, tags: list[str]) -> None:
    box = call("impress.add_text_box", slide=slide, text="x\ny", x_cm=1, y_cm=1)
    other = "bullet" if marker != "bullet" else "number"
    call("impress.paragraph_format", slide=slide, shape=box, marker=other)
    call("impress.paragraph_format", slide=slide, shape=box, paragraph=2, marker=marker)
    first, second = saved_slide(call).shapes[box - 1].text_frame.paragraphs
    marks = ("a:buChar", "a:buAutoNum")
    assert [item for item in marks if f"<{item}" in second._p.xml] == tags
    assert [item for item in marks if f"<{item}" in first._p.xml] not in (tags, [])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing to change"),
        ({"paragraph": 4, "alignment": "left"}, "paragraphs 1 to 3"),
        ({"level": 0}, "levels 1 to 9"),
        ({"line_spacing": 150}, "in lines"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(
    call: Call, slide: int, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("impress.paragraph_format", slide=slide, shape="content", **arguments)
