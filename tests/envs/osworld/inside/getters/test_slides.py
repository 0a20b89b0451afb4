"""Sounds and backgrounds of slides, in presentations as office programs write them."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters.slides import audio_in_slide, background_image_in_slide

R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
FILE = "/home/user/Desktop/deck.pptx"
SOUND = b"ID3 a sound"


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    (tmp_path / "home" / "Desktop").mkdir(parents=True)
    return SimpleNamespace(home=tmp_path / "home")


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


def deck(slides: int = 2) -> Any:
    made: Any = Presentation()
    for _ in range(slides):
        made.slides.add_slide(made.slide_layouts[6])
    return made


def save(machine: Any, made: Any) -> None:
    made.save(str(machine.home / "Desktop" / "deck.pptx"))


def sound(machine: Any, ending: Ending, index: int = 0) -> Path:
    options = {"ppt_file_path": FILE, "slide_index": index, "dest": "planet.wav"}
    return asyncio.run(audio_in_slide(machine, ending, options))


def background(machine: Any, ending: Ending, index: int = 0) -> Path:
    options = {"ppt_file_path": FILE, "slide_index": index, "dest": "landscape.png"}
    return asyncio.run(background_image_in_slide(machine, ending, options))


def png(color: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 3), color).save(out, "PNG")
    return out.getvalue()


def add_background(slide: Any, picture: bytes) -> None:
    _, rid = slide.part.get_or_add_image_part(io.BytesIO(picture))
    fill = parse_xml(
        '<p:bg xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        f' xmlns:r="{R}"><p:bgPr><a:blipFill><a:blip r:embed="{rid}"/><a:stretch/></a:blipFill>'
        "<a:effectLst/></p:bgPr></p:bg>"
    )
    slide._element.cSld.insert(0, fill)


def add_sound(slide: Any, content: bytes) -> None:
    part = Part(PackURI("/ppt/media/media1.mp3"), "audio/mpeg", slide.part.package, content)
    slide.part.relate_to(part, f"{R}/audio")


def test_a_sound_that_the_presentation_holds(machine: Any, ending: Ending) -> None:
    made = deck()
    add_sound(made.slides[1], SOUND)
    save(machine, made)
    value = sound(machine, ending, 1)
    assert (value.name, value.read_bytes()) == ("planet.mp3", SOUND)
    with pytest.raises(FileNotFoundError):
        sound(machine, ending, 0)


@pytest.mark.parametrize(
    "target", ["file:///home/user/Desktop/my%20song.mp3", "my%20song.mp3", "../Desktop/my song.mp3"]
)
def test_a_sound_that_the_presentation_names(machine: Any, ending: Ending, target: str) -> None:
    song = machine.home / "Desktop" / "my song.mp3"
    song.write_bytes(SOUND)
    made = deck()
    made.slides[0].part.relate_to(target, f"{R}/audio", is_external=True)
    save(machine, made)
    assert sound(machine, ending).samefile(song)


def test_a_sound_of_the_internet_is_none_of_the_machine(machine: Any, ending: Ending) -> None:
    made = deck()
    made.slides[0].part.relate_to("https://a.example/s.mp3", f"{R}/audio", is_external=True)
    save(machine, made)
    with pytest.raises(FileNotFoundError, match=r"a\.example"):
        sound(machine, ending)


def test_the_picture_behind_a_slide(machine: Any, ending: Ending) -> None:
    made = deck()
    add_background(made.slides[0], png("red"))
    add_background(made.slides[1], png("blue"))
    save(machine, made)
    with Image.open(background(machine, ending, 1)) as value:
        assert value.getpixel((0, 0)) == (0, 0, 255)


def test_slides_count_in_the_order_in_which_they_are_shown(machine: Any, ending: Ending) -> None:
    made = deck()
    add_background(made.slides[0], png("red"))
    order = made.slides._sldIdLst
    order.append(order[0])
    save(machine, made)
    assert background(machine, ending, 1).is_file()
    with pytest.raises(FileNotFoundError):
        background(machine, ending, 0)


def test_a_picture_on_the_slide_is_not_behind_it(machine: Any, ending: Ending) -> None:
    made = deck()
    made.slides[0].shapes.add_picture(io.BytesIO(png("red")), 0, 0)
    save(machine, made)
    with pytest.raises(FileNotFoundError):
        background(machine, ending)


def test_no_such_slide_and_no_presentation(machine: Any, ending: Ending) -> None:
    save(machine, deck())
    for index in (2, -1):
        with pytest.raises(FileNotFoundError):
            background(machine, ending, index)
    (machine.home / "Desktop" / "deck.pptx").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(FileNotFoundError, match="not a presentation"):
        sound(machine, ending)
