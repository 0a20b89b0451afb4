"""Slides as a whole, and what they share, in a real Impress presentation."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pptx
import pytest
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_FILL
from real_office import BridgeProcess, Refused, running_office

Call = Any


@pytest.fixture
def deck(call: Call, slides: Path) -> Path:
    """Four slides, called One to Four."""
    for title in ("One", "Two", "Three", "Four"):
        number = 1 if title == "One" else call("impress.add_slide")
        call("impress.set_text", slide=number, shape="title", text=title)
    return slides


def titles(call: Call) -> list[str]:
    return [one["title"] for one in call("impress.info")["slides"]]


def saved(call: Call) -> Any:
    return pptx.Presentation(call("impress.save"))


def test_info_lists_the_slides(call: Call, deck: Path) -> None:
    found = call("impress.info")
    assert (found["path"], found["width_cm"], found["height_cm"]) == (str(deck), 28.0, 15.75)
    assert found["current_slide"] == 1
    assert found["slides"][:2] == [
        {"slide": 1, "layout": "title", "title": "One"},
        {"slide": 2, "layout": "title_content", "title": "Two"},
    ]
    assert [one.shapes.title.text for one in saved(call).slides] == ["One", "Two", "Three", "Four"]


def test_reads_a_slide(call: Call, deck: Path) -> None:
    call("impress.notes", slide=2, text="say hello")
    found = call("impress.read_slide", slide=2)
    assert found["notes"] == "say hello"
    first, second = found["shapes"]
    assert (first["shape"], first["kind"], first["text"]) == (1, "title", "Two")
    assert (second["kind"], second["text"]) == ("content", "")
    assert (first["x_cm"], first["width_cm"]) == (1.4, 25.2)


def test_reading_a_missing_slide_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="there is no slide 9; the presentation has 4"):
        call("impress.read_slide", slide=9)


def test_goes_to_a_slide(call: Call, deck: Path) -> None:
    call("impress.go_to_slide", slide=3)
    assert call("impress.info")["current_slide"] == 3
    with pytest.raises(Refused, match="no slide 0"):
        call("impress.go_to_slide", slide=0)


@pytest.mark.parametrize(("after", "number"), [(0, 1), (1, 2), (4, 5), (None, 5)])
def test_adds_slides_where_told(call: Call, deck: Path, after: int | None, number: int) -> None:
    assert call("impress.add_slide", layout="title_only", after=after) == number
    expected = ["One", "Two", "Three", "Four"]
    expected.insert(number - 1, "")
    assert titles(call) == expected
    assert call("impress.info")["slides"][number - 1]["layout"] == "title_only"


def test_adding_after_a_missing_slide_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="has 4"):
        call("impress.add_slide", after=5)


def test_changes_the_layout(call: Call, deck: Path) -> None:
    call("impress.set_layout", slide=2, layout="title_two_content")
    kinds = [one["kind"] for one in call("impress.read_slide", slide=2)["shapes"]]
    assert sorted(kinds) == ["content", "content", "title"]
    with pytest.raises(Refused, match="no slide 5"):
        call("impress.set_layout", slide=5, layout="blank")


def test_deletes_slides_but_not_the_last(call: Call, deck: Path) -> None:
    call("impress.delete_slide", slide=2)
    assert titles(call) == ["One", "Three", "Four"]
    for _ in range(2):
        call("impress.delete_slide", slide=1)
    with pytest.raises(Refused, match="at least one"):
        call("impress.delete_slide", slide=1)


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (None, ["One", "Two", "Two", "Three", "Four"]),
        (5, ["One", "Two", "Three", "Four", "Two"]),
        (1, ["Two", "One", "Two", "Three", "Four"]),
    ],
)
def test_duplicates_a_slide(call: Call, deck: Path, to: int | None, expected: list[str]) -> None:
    assert call("impress.duplicate_slide", slide=2, to=to) == (to or 3)
    assert titles(call) == expected
    assert len(saved(call).slides) == 5


def test_duplicating_to_nowhere_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="cannot be slide 7"):
        call("impress.duplicate_slide", slide=2, to=7)
    assert len(titles(call)) == 4


@pytest.mark.parametrize(
    ("slide", "to", "expected"),
    [
        (1, 4, ["Two", "Three", "Four", "One"]),
        (4, 2, ["One", "Four", "Two", "Three"]),
        (3, 3, ["One", "Two", "Three", "Four"]),
    ],
)
def test_moves_slides(call: Call, deck: Path, slide: int, to: int, expected: list[str]) -> None:
    call("impress.go_to_slide", slide=2)
    call("impress.move_slide", slide=slide, to=to)
    assert titles(call) == expected
    assert titles(call)[call("impress.info")["current_slide"] - 1] == "Two"


def test_moving_to_nowhere_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="no slide 5"):
        call("impress.move_slide", slide=1, to=5)


def test_writes_notes(call: Call, deck: Path) -> None:
    call("impress.notes", slide=3, text="slowly")
    assert saved(call).slides[2].notes_slide.notes_text_frame.text == "slowly"
    with pytest.raises(Refused, match="no slide 8"):
        call("impress.notes", slide=8, text="x")


def transitions(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        pages = [archive.read(f"ppt/slides/slide{number}.xml") for number in range(1, 5)]
    return [page.decode().partition("<p:transition")[2] for page in pages]


@pytest.mark.parametrize(
    ("transition", "tag"), [("fade", "fade"), ("push", "push"), ("wipe", "wipe")]
)
def test_sets_transitions(call: Call, deck: Path, transition: str, tag: str) -> None:
    call("impress.transition", transition=transition, slide=2, advance_after_s=5)
    call("impress.save")
    first, second, *_ = transitions(deck)
    assert f"<p:{tag}" in second
    assert 'advTm="5000"' in second
    assert f"<p:{tag}" not in first


def test_takes_transitions_back(call: Call, deck: Path) -> None:
    call("impress.transition", transition="dissolve")
    call("impress.transition", transition="none", slide=1)
    call("impress.save")
    assert ["<p:dissolve" in one for one in transitions(deck)] == [False, True, True, True]


def test_a_transition_that_takes_no_time_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="duration_s"):
        call("impress.transition", transition="fade", duration_s=-1)


def test_colours_backgrounds(call: Call, deck: Path) -> None:
    call("impress.background", colour="#112233")
    call("impress.background", slide=2, colour="none")
    fills = [one.background.fill for one in saved(call).slides]
    assert [one.fore_color.rgb for one in (fills[0], fills[2], fills[3])] == (
        [RGBColor(0x11, 0x22, 0x33)] * 3
    )
    assert fills[1].type != MSO_FILL.SOLID


def test_puts_a_picture_behind_a_slide(call: Call, deck: Path, tmp_path: Path) -> None:
    picture = tmp_path / "blue.png"
    Image.new("RGB", (64, 36), "blue").save(picture)
    call("impress.background", slide=2, image=str(picture))
    picture.unlink()
    assert "blipFill" in saved(call).slides[1]._element.cSld.bg.xml
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
    with pytest.raises(Refused, match="no picture"):
        call("impress.background", slide=1, image=str(text))


def test_sizes_and_turns_slides(call: Call, deck: Path) -> None:
    assert call("impress.slide_size", size="4:3") == {"width_cm": 28.0, "height_cm": 21.0}
    assert call("impress.slide_size", orientation="portrait") == {
        "width_cm": 21.0,
        "height_cm": 28.0,
    }
    presentation = saved(call)
    assert (round(presentation.slide_width.cm), round(presentation.slide_height.cm)) == (21, 28)


def test_a_size_of_nothing_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="size, orientation"):
        call("impress.slide_size")


def numbered(call: Call) -> list[bool]:
    return [
        any("SLIDE_NUMBER" in str(one.placeholder_format.type) for one in slide.placeholders)
        for slide in saved(call).slides
    ]


def test_shows_slide_numbers(call: Call, deck: Path) -> None:
    call("impress.slide_numbers")
    call("impress.slide_numbers", visible=False, slide=1)
    assert numbered(call) == [False, True, True, True]


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
    with pytest.raises(Refused, match="is no colour"):
        call("impress.slide_numbers", colour="bleu")
    assert numbered(call) == [False] * 4


def test_sets_and_hides_the_footer(call: Call, deck: Path) -> None:
    call("impress.footer", text="ACME 2026")
    call("impress.footer", text=None, slide=1)
    texts = [[shape.text for shape in slide.shapes] for slide in saved(call).slides]
    assert ["ACME 2026" in one for one in texts] == [False, True, True, True]
    with pytest.raises(Refused, match="no slide 7"):
        call("impress.footer", text="x", slide=7)


@pytest.mark.parametrize("extension", ["png", "jpg"])
def test_exports_a_slide_as_a_picture(
    call: Call, deck: Path, tmp_path: Path, extension: str
) -> None:
    call("impress.background", slide=3, colour="#00FF00")
    path = tmp_path / f"slide.{extension}"
    call("impress.export_image", slide=3, path=str(path), width_px=640)
    with Image.open(path) as image:
        assert image.size == (640, 360)
        red, green, blue = image.convert("RGB").getpixel((2, 2))
    assert green > 250
    assert red < 5
    assert blue < 5
    assert call("impress.info")["current_slide"] == 1


def test_exports_a_slide_as_a_drawing(call: Call, deck: Path, tmp_path: Path) -> None:
    path = tmp_path / "slide.svg"
    call("impress.export_image", slide=2, path=str(path))
    text = path.read_text()
    assert "<svg" in text
    assert "Two" in text


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("slide.gif", {}, "ends in .png"),
        ("slide.png", {"slide": 9}, "has 4"),
        ("slide.png", {"width_px": 0}, "16 to 8192"),
        ("missing/slide.png", {}, "no folder"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(
    call: Call, deck: Path, tmp_path: Path, name: str, arguments: dict[str, Any], words: str
) -> None:
    path = str(tmp_path / name)
    with pytest.raises(Refused, match=words):
        call("impress.export_image", **({"slide": 1, "path": path} | arguments))


@pytest.mark.parametrize(("extension", "magic"), [("odp", b"PK"), ("pdf", b"%PDF")])
def test_saves_in_other_formats(
    call: Call, deck: Path, tmp_path: Path, extension: str, magic: bytes
) -> None:
    path = tmp_path / f"copy.{extension}"
    call("impress.save_as", path=str(path))
    assert path.read_bytes().startswith(magic)
    if extension == "odp":
        call("office.close", path=str(path))


def test_an_unknown_format_is_refused(call: Call, deck: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"ends in one of \.pptx"):
        call("impress.save_as", path=str(tmp_path / "x.docx"))


def test_settings_reach_the_profile(tmp_path: Path) -> None:
    settings = tmp_path / "profile/user/registrymodifications.xcu"
    expected = (
        '"TimeIntervall" oor:op="fuse"><value>7<',
        '"AutoSaveTimeIntervall" oor:op="fuse"><value>7<',
        '"EnablePresenterScreen" oor:op="fuse"><value>false<',
    )
    with running_office(tmp_path) as pipe:
        bridge = BridgeProcess(pipe)
        try:
            bridge.call("impress.auto_save", minutes=7)
            bridge.call("impress.presenter_console", enabled=False)
            text = settings.read_text()
            with pytest.raises(Refused, match="1 to 60"):
                bridge.call("impress.auto_save", minutes=0)
        finally:
            bridge.close()
    assert [one for one in expected if one not in text] == []
