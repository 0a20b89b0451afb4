"""Backgrounds, size, numbers and footers of a real presentation."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pptx
import pytest
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_FILL

from tests.envs.apps.office.impress.reading import saved_presentation
from tests.envs.apps.office.real_office import Refused

Call = Any


def numbered_slides(call: Call) -> list[bool]:
    return [
        any("SLIDE_NUMBER" in str(item.placeholder_format.type) for item in slide.placeholders)
        for slide in saved_presentation(call).slides
    ]


def test_colours_backgrounds(call: Call, deck: Path) -> None:
    call("impress.background", colour="#112233")
    call("impress.background", slide=2, colour="none")
    fills = [item.background.fill for item in saved_presentation(call).slides]
    assert [item.fore_color.rgb for item in (fills[0], fills[2], fills[3])] == (
        [RGBColor(0x11, 0x22, 0x33)] * 3
    )
    assert fills[1].type != MSO_FILL.SOLID


def test_puts_a_picture_behind_a_slide(call: Call, deck: Path, tmp_path: Path) -> None:
    picture = tmp_path / "blue.png"
    Image.new("RGB", (64, 36), "blue").save(picture)
    call("impress.background", slide=2, image=str(picture))
    picture.unlink()
    assert "blipFill" in saved_presentation(call).slides[1]._element.cSld.bg.xml
    shot = tmp_path / "shot.png"
    call("impress.export_image", slide=2, path=str(shot))
    with Image.open(shot) as image:
        assert image.convert("RGB").getpixel((5, 5)) == (0, 0, 255)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "either colour or image"),
        ({"colour": "red", "image": "/x.png"}, "either colour or image"),
        ({"image": "/missing.png"}, "no file"),
        ({"colour": "red", "slide": 6}, "no slide 6"),
    ],
)
def test_a_background_that_cannot_be_is_refused(
    call: Call, deck: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("impress.background", **arguments)


def test_a_background_that_is_no_picture_is_refused(call: Call, deck: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    with pytest.raises(Refused, match="not a picture"):
        call("impress.background", slide=1, image=str(text))


def test_sizes_and_turns_slides(call: Call, deck: Path) -> None:
    assert call("impress.slide_size", size="4:3") == {"width_cm": 28.0, "height_cm": 21.0}
    assert call("impress.slide_size", orientation="portrait") == {
        "width_cm": 21.0,
        "height_cm": 28.0,
    }
    presentation = saved_presentation(call)
    assert (round(presentation.slide_width.cm), round(presentation.slide_height.cm)) == (21, 28)


def test_a_size_of_nothing_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="size, orientation"):
        call("impress.slide_size")


def test_shows_slide_numbers(call: Call, deck: Path) -> None:
    call("impress.slide_numbers")
    call("impress.slide_numbers", visible=False, slide=1)
    assert numbered_slides(call) == [False, True, True, True]


def test_colours_slide_numbers(call: Call, deck: Path) -> None:
    call("impress.slide_numbers", colour="#FF0000")
    call("impress.save")
    with zipfile.ZipFile(deck) as archive:
        xml = archive.read("ppt/slideMasters/slideMaster1.xml").decode().lower()
        page = archive.read("ppt/slides/slide2.xml").decode().lower()
    assert "ff0000" in (xml + page).partition('type="sldnum"')[2]


def test_colours_slide_numbers_of_a_file_from_elsewhere(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "own.pptx"
    pptx.Presentation().save(str(path))
    call("office.open", path=str(path))
    try:
        call("impress.slide_numbers", colour="blue")
        call("impress.save")
        with zipfile.ZipFile(path) as archive:
            xml = archive.read("ppt/slideMasters/slideMaster1.xml").decode().lower()
        assert "0000ff" in xml.partition('type="sldnum"')[2]
    finally:
        call("office.close", path=str(path))


def test_a_wrong_colour_changes_no_slide_number(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="is not a colour"):
        call("impress.slide_numbers", colour="bleu")
    assert numbered_slides(call) == [False] * 4


def test_sets_and_hides_the_footer(call: Call, deck: Path) -> None:
    call("impress.footer", text="ACME 2026")
    call("impress.footer", text=None, slide=1)
    texts = [[shape.text for shape in slide.shapes] for slide in saved_presentation(call).slides]
    assert ["ACME 2026" in item for item in texts] == [False, True, True, True]
    with pytest.raises(Refused, match="no slide 7"):
        call("impress.footer", text="x", slide=7)
