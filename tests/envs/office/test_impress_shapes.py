"""Text, shapes, pictures, tables and media on the slides of a real Impress presentation."""

from __future__ import annotations

import wave
import zipfile
from pathlib import Path
from typing import Any

import pptx
import pytest
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Pt
from real_office import Refused

Call = Any

HAS_PLAYER = any(Path("/usr/lib").glob("*/gstreamer-1.0/libgstplayback.so"))


@pytest.fixture
def slide(call: Call, slides: Path) -> int:
    """Slide 2, with a title and three paragraphs."""
    number: int = call("impress.add_slide", layout="title_content")
    call("impress.set_text", slide=number, shape="title", text="Fruit")
    call("impress.set_text", slide=number, shape="content", text="red apple\ngreen pear\nred plum")
    return number


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "red.png"
    Image.new("RGB", (200, 100), "red").save(path)
    return str(path)


def saved(call: Call, slide: int = 2) -> Any:
    return pptx.Presentation(call("impress.save")).slides[slide - 1]


def runs(shape: Any) -> list[Any]:
    return [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]


def test_sets_text_in_paragraphs(call: Call, slide: int) -> None:
    call("impress.set_text", slide=slide, shape=2, text="a\n\tb\nc")
    paragraphs = saved(call).shapes[1].text_frame.paragraphs
    assert [(one.text, one.level) for one in paragraphs] == [("a", 0), ("b", 1), ("c", 0)]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (7, "there is no shape 7; the slide has: 1 title, 2 content"),
        ("chart", "there is no shape chart"),
    ],
)
def test_a_wrong_shape_names_those_there_are(
    call: Call, slide: int, shape: int | str, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("impress.set_text", slide=slide, shape=shape, text="x")


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
    before = saved(call)
    plain = getattr(runs(before.shapes[1])[0].font, attribute)
    assert plain != value
    assert call("impress.format", slide=slide, pattern="red", **arguments) == 2
    found = runs(saved(call).shapes[1])
    changed = [one.text for one in found if getattr(one.font, attribute) == value]
    assert changed == ["red", "red"]


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
    page = saved(call)
    assert {one.font.color.rgb for one in runs(page.shapes.title)} == {RGBColor(0, 0xAA, 0)}
    assert runs(page.shapes[1])[0].font.color.type is None or (
        runs(page.shapes[1])[0].font.color.rgb != RGBColor(0, 0xAA, 0)
    )


def test_formats_after_letters_outside_the_basic_plane(call: Call, slide: int) -> None:
    call("impress.set_text", slide=slide, shape="title", text="🎉 and words\nnext words")
    call("impress.format", slide=slide, shape="title", pattern="words$", bold=True)
    bold = [one.text for one in runs(saved(call).shapes.title) if one.font.bold]
    assert bold == ["words", "words"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"slide": 2, "pattern": "zeta", "bold": True}, "nothing matches"),
        ({"slide": 2, "pattern": "(red", "bold": True}, "no regular expression"),
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
    shape = saved(call).shapes[1]
    assert shape.text_frame.text == "blue apple\ngreen pear\nblue plum"
    assert [one.text for one in runs(shape) if one.font.bold] == ["blue", "blue"]


def test_replacing_what_is_not_there_is_refused(call: Call, slide: int) -> None:
    with pytest.raises(Refused, match=r"'r\.d' is not there"):
        call("impress.find_replace", find="r.d", replace="x")


@pytest.mark.parametrize("alignment", ["left", "center", "right", "justify"])
def test_aligns_text(call: Call, slide: int, alignment: str) -> None:
    arguments = {"slide": slide, "shape": "content"}
    call("impress.paragraph_format", **arguments, alignment="center")
    call("impress.paragraph_format", **arguments, paragraph=2, alignment=alignment)
    found = [one.alignment for one in saved(call).shapes[1].text_frame.paragraphs]
    expected = PP_ALIGN[alignment.upper()]
    assert found[0] == found[2] == PP_ALIGN.CENTER
    assert found[1] in ((expected, None) if alignment == "left" else (expected,))


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
    frame = saved(call).shapes[1].text_frame
    assert [one.line_spacing for one in frame.paragraphs[:2]] == [1.5, 1.5]
    assert frame.paragraphs[2].line_spacing != 1.5
    assert [round(one.space_after.pt) for one in frame.paragraphs[:2]] == [12, 12]
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
    first, second = saved(call).shapes[box - 1].text_frame.paragraphs
    marks = ("a:buChar", "a:buAutoNum")
    assert [one for one in marks if f"<{one}" in second._p.xml] == tags
    assert [one for one in marks if f"<{one}" in first._p.xml] not in (tags, [])


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


def test_adds_a_text_box(call: Call, slide: int) -> None:
    number = call("impress.add_text_box", slide=slide, text="Hello", x_cm=3, y_cm=4, width_cm=8)
    assert number == 3
    shape = saved(call).shapes[2]
    assert shape.text_frame.text == "Hello"
    assert [round(one.cm, 1) for one in (shape.left, shape.top, shape.width)] == [3, 4, 8]
    with pytest.raises(Refused, match="no slide 3"):
        call("impress.add_text_box", slide=3, text="x", x_cm=0, y_cm=0)


def test_draws_and_paints_shapes(call: Call, slide: int) -> None:
    number = call(
        "impress.add_shape",
        slide=slide,
        kind="ellipse",
        x_cm=5,
        y_cm=6,
        width_cm=4,
        height_cm=2,
        text="oval",
        fill="yellow",
        line="none",
    )
    shape = saved(call).shapes[number - 1]
    assert str(shape.auto_shape_type).startswith("OVAL")
    assert shape.text_frame.text == "oval"
    assert shape.fill.fore_color.rgb == RGBColor(255, 255, 0)
    call("impress.paint_shape", slide=slide, shape=number, fill="#0000FF", line="red")
    shape = saved(call).shapes[number - 1]
    assert shape.fill.fore_color.rgb == RGBColor(0, 0, 255)
    assert shape.line.color.rgb == RGBColor(255, 0, 0)


def test_paint_that_is_no_colour_draws_nothing(call: Call, slide: int) -> None:
    place = {"x_cm": 1, "y_cm": 1, "width_cm": 1, "height_cm": 1}
    with pytest.raises(Refused, match="is no colour"):
        call("impress.add_shape", slide=slide, kind="diamond", fill="yelow", **place)
    with pytest.raises(Refused, match="give fill, line"):
        call("impress.paint_shape", slide=slide, shape=1)
    assert len(call("impress.read_slide", slide=slide)["shapes"]) == 2


def test_inserts_a_picture(call: Call, slide: int, picture: str) -> None:
    number = call("impress.insert_image", slide=slide, path=picture, x_cm=2, y_cm=3, width_cm=6)
    Path(picture).unlink()
    shape = saved(call).shapes[number - 1]
    sides = [round(one.cm, 1) for one in (shape.left, shape.top, shape.width, shape.height)]
    assert sides == [2, 3, 6, 3]
    assert shape.image.size == (200, 100)


def test_a_large_picture_fits_the_slide_in_its_middle(
    call: Call, slide: int, tmp_path: Path
) -> None:
    path = tmp_path / "large.png"
    Image.new("RGB", (4000, 1000)).save(path)
    call("impress.insert_image", slide=slide, path=str(path))
    shape = call("impress.read_slide", slide=slide)["shapes"][2]
    assert (shape["x_cm"], shape["y_cm"]) == (0, pytest.approx((15.75 - 7) / 2, abs=0.01))
    assert (shape["width_cm"], shape["height_cm"]) == (28, 7)


def test_what_is_no_picture_is_refused(call: Call, slide: int, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    with pytest.raises(Refused, match="no picture"):
        call("impress.insert_image", slide=slide, path=str(text))
    with pytest.raises(Refused, match="no file"):
        call("impress.insert_image", slide=slide, path=str(tmp_path / "missing.png"))
    assert len(call("impress.read_slide", slide=slide)["shapes"]) == 2


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "beep.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(1600))
    return path


@pytest.mark.skipif(not HAS_PLAYER, reason="needs gstreamer1.0-plugins-base")
def test_inserts_a_sound(call: Call, slides: Path, slide: int, sound: Path) -> None:
    number = call("impress.insert_media", slide=slide, path=str(sound), width_cm=5, height_cm=3)
    shape = call("impress.read_slide", slide=slide)["shapes"][number - 1]
    assert (shape["kind"], shape["width_cm"]) == ("media", 5)
    call("impress.save")
    with zipfile.ZipFile(slides) as archive:
        links = archive.read("ppt/slides/_rels/slide2.xml.rels").decode()
    assert "relationships/audio" in links


@pytest.mark.skipif(HAS_PLAYER, reason="there is a player")
def test_a_sound_without_a_player_is_refused(call: Call, slide: int, sound: Path) -> None:
    with pytest.raises(Refused, match="no player"):
        call("impress.insert_media", slide=slide, path=str(sound))
    assert len(call("impress.read_slide", slide=slide)["shapes"]) == 2


def test_a_missing_sound_is_refused(call: Call, slide: int) -> None:
    with pytest.raises(Refused, match="no file"):
        call("impress.insert_media", slide=slide, path="/missing.mp4")


def test_places_shapes(call: Call, slide: int) -> None:
    arguments = {"slide": slide, "shape": "content"}
    call("impress.place_shape", **arguments, x_cm=2, y_cm=5, width_cm=10, height_cm=4)
    shape = saved(call).shapes[1]
    sides = [round(one.cm, 2) for one in (shape.left, shape.top, shape.width, shape.height)]
    assert sides == [2, 5, 10, 4]
    call("impress.place_shape", **arguments, horizontal="right", vertical="bottom")
    shape = saved(call).shapes[1]
    assert (round(shape.left.cm, 2), round(shape.top.cm, 2)) == (18, 11.75)


def test_a_shape_of_no_size_is_refused(call: Call, slide: int) -> None:
    with pytest.raises(Refused, match="more than 0"):
        call("impress.place_shape", slide=slide, shape=1, width_cm=0)


def test_deletes_a_shape(call: Call, slide: int) -> None:
    call("impress.delete_shape", slide=slide, shape="content")
    assert [one["kind"] for one in call("impress.read_slide", slide=slide)["shapes"]] == ["title"]
    with pytest.raises(Refused, match="the slide has: 1 title"):
        call("impress.delete_shape", slide=slide, shape="content")
