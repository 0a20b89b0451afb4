"""Text boxes, shapes, pictures and media on the slides of a real presentation."""

from __future__ import annotations

import wave
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx.dml.color import RGBColor

from tests.envs.apps.office.impress.reading import saved_slide
from tests.envs.apps.office.real_office import Refused

Call = Any


HAS_PLAYER = any(Path("/usr/lib").glob("*/gstreamer-1.0/libgstplayback.so"))


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "beep.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(1600))
    return path


def test_adds_a_text_box(call: Call, slide: int) -> None:
    number = call("impress.add_text_box", slide=slide, text="Hello", x_cm=3, y_cm=4, width_cm=8)
    assert number == 3
    shape = saved_slide(call).shapes[2]
    assert shape.text_frame.text == "Hello"
    assert [round(item.cm, 1) for item in (shape.left, shape.top, shape.width)] == [3, 4, 8]
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
    shape = saved_slide(call).shapes[number - 1]
    assert str(shape.auto_shape_type).startswith("OVAL")
    assert shape.text_frame.text == "oval"
    assert shape.fill.fore_color.rgb == RGBColor(255, 255, 0)
    call("impress.paint_shape", slide=slide, shape=number, fill="#0000FF", line="red")
    shape = saved_slide(call).shapes[number - 1]
    assert shape.fill.fore_color.rgb == RGBColor(0, 0, 255)
    assert shape.line.color.rgb == RGBColor(255, 0, 0)


def test_paint_that_is_no_colour_draws_nothing(call: Call, slide: int) -> None:
    place = {"x_cm": 1, "y_cm": 1, "width_cm": 1, "height_cm": 1}
    with pytest.raises(Refused, match="is not a colour"):
        call("impress.add_shape", slide=slide, kind="diamond", fill="yelow", **place)
    with pytest.raises(Refused, match="give fill, line"):
        call("impress.paint_shape", slide=slide, shape=1)
    assert len(call("impress.read_slide", slide=slide)["shapes"]) == 2


def test_inserts_a_picture(call: Call, slide: int, picture: str) -> None:
    number = call("impress.insert_image", slide=slide, path=picture, x_cm=2, y_cm=3, width_cm=6)
    Path(picture).unlink()
    shape = saved_slide(call).shapes[number - 1]
    sides = [round(item.cm, 1) for item in (shape.left, shape.top, shape.width, shape.height)]
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
    with pytest.raises(Refused, match="not a picture"):
        call("impress.insert_image", slide=slide, path=str(text))
    with pytest.raises(Refused, match="no file"):
        call("impress.insert_image", slide=slide, path=str(tmp_path / "missing.png"))
    assert len(call("impress.read_slide", slide=slide)["shapes"]) == 2


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
    shape = saved_slide(call).shapes[1]
    sides = [round(item.cm, 2) for item in (shape.left, shape.top, shape.width, shape.height)]
    assert sides == [2, 5, 10, 4]
    call("impress.place_shape", **arguments, horizontal="right", vertical="bottom")
    shape = saved_slide(call).shapes[1]
    assert (round(shape.left.cm, 2), round(shape.top.cm, 2)) == (18, 11.75)


def test_a_shape_of_no_size_is_refused(call: Call, slide: int) -> None:
    with pytest.raises(Refused, match="more than 0"):
        call("impress.place_shape", slide=slide, shape=1, width_cm=0)


def test_deletes_a_shape(call: Call, slide: int) -> None:
    call("impress.delete_shape", slide=slide, shape="content")
    assert [item["kind"] for item in call("impress.read_slide", slide=slide)["shapes"]] == ["title"]
    with pytest.raises(Refused, match="the slide has: 1 title"):
        call("impress.delete_shape", slide=slide, shape="content")
