"""`presentation_is`: the same slides pass, one small difference does not."""

from __future__ import annotations

import copy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envs.osworld.format.makers.presentations import presentation_bytes
from envs.osworld.outside.metrics.presentations import presentation_is

Edit = Callable[[list[dict[str, Any]]], object]
SLIDES: list[dict[str, Any]] = [
    {"title": "Plan", "subtitle": "by Ada"},
    {
        "title": {"text": "Goals", "bold": True},
        "body": [
            {"text": "First"},
            {"runs": ["Sec", {"text": "ond", "color": "FF0000", "underline": True}], "level": 1},
            {"text": "Third", "align": "right", "italic": True, "strike": True, "size": 20},
        ],
        "notes": "Slowly.",
    },
    {
        "title": "Shapes",
        "background": "DDEEFF",
        "shapes": [
            {"kind": "text", "text": "Box", "at": [2, 5, 8, 2]},
            {"kind": "rect", "text": "R", "at": [2, 8, 5, 3], "fill": "FFCC00"},
            {"kind": "ellipse", "at": [12, 8, 5, 3], "fill": "00CC00", "line": "0000FF"},
            {"table": [["a", "b"], ["1", "2"]], "at": [2, 13, 16, 3]},
        ],
    },
    {"hidden": True, "shapes": [{"kind": "text", "text": "Only", "at": [2, 5, 8, 2]}]},
]


def slide(number: int, **parts: Any) -> Edit:
    return lambda slides: slides[number].update(parts)


def point(number: int, **parts: Any) -> Edit:
    return lambda slides: slides[1]["body"][number].update(parts)


def shape(number: int, **parts: Any) -> Edit:
    return lambda slides: slides[2]["shapes"][number].update(parts)


EDITS: dict[str, Edit] = {
    "the title": slide(0, title="Plans"),
    "the subtitle": slide(0, subtitle="by Ben"),
    "no bold": slide(1, title="Goals"),
    "the notes": slide(1, notes="Slowly!"),
    "no notes": lambda slides: slides[1].pop("notes"),
    "a point": point(0, text="first"),
    "a point more": lambda slides: slides[1]["body"].append("More"),
    "the order of points": lambda slides: slides[1]["body"].reverse(),
    "the level": point(1, level=0),
    "the colour": lambda slides: slides[1]["body"][1]["runs"][1].update(color="0000FF"),
    "underline": lambda slides: slides[1]["body"][1]["runs"][1].update(underline=False),
    "the alignment": point(2, align="center"),
    "italic": point(2, italic=False),
    "strike": point(2, strike=False),
    "the size": point(2, size=21),
    "the font": point(2, font="Liberation Mono"),
    "the background": slide(2, background="DDEEFE"),
    "no background": lambda slides: slides[2].pop("background"),
    "a text": shape(0, text="Bax"),
    "a place": shape(0, at=[2.2, 5, 8, 2]),
    "a width": shape(1, at=[2, 8, 5.2, 3]),
    "a fill": shape(1, fill="FFCC01"),
    "a line": shape(2, line="00FFFF"),
    "a kind": shape(2, kind="rect"),
    "a cell": shape(3, table=[["a", "b"], ["1", "3"]]),
    "the order of shapes": lambda slides: slides[2]["shapes"].reverse(),
    "a shape less": lambda slides: slides[2]["shapes"].pop(),
    "a slide shown": slide(3, hidden=False),
    "a slide more": lambda slides: slides.append({"title": "More"}),
    "a slide less": lambda slides: slides.pop(),
    "the order of slides": lambda slides: slides.reverse(),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talk.pptx"
    path.write_bytes(presentation_bytes({"slides": SLIDES}))
    return path


def test_a_presentation_is_what_it_was_made_of(file: Path) -> None:
    assert presentation_is(file, {"slides": SLIDES}) == 1


@pytest.mark.parametrize("what", EDITS)
def test_one_small_difference_fails(file: Path, what: str) -> None:
    slides = copy.deepcopy(SLIDES)
    EDITS[what](slides)
    assert presentation_is(file, {"slides": slides}) == 0


@pytest.mark.desktop
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
def test_what_libreoffice_saves_reads_the_same(file: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile",
         "--convert-to", "pptx:Impress MS PowerPoint 2007 XML",
         "--outdir", str(tmp_path / "saved"), str(file)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    saved = tmp_path / "saved" / file.name
    assert saved.read_bytes() != file.read_bytes()
    assert presentation_is(saved, {"slides": SLIDES}) == 1
    for what, edit in EDITS.items():
        slides = copy.deepcopy(SLIDES)
        edit(slides)
        assert presentation_is(saved, {"slides": slides}) == 0, what


def test_an_added_slide_may_look_as_it_likes_but_says_what_it_must(file: Path) -> None:
    slides = copy.deepcopy(SLIDES)
    slides[1]["title"] = "Goals"
    slides[1]["body"] = ["First", "Second", "Third"]
    assert presentation_is(file, {"slides": slides}) == 0
    assert presentation_is(file, {"slides": slides, "any": [2]}) == 1
    slides[1]["body"] = ["First", "Second"]
    assert presentation_is(file, {"slides": slides, "any": [2]}) == 0


def test_a_transition_is_a_difference(file: Path) -> None:
    from lxml import etree
    from pptx import Presentation

    made: Any = Presentation(str(file))
    space = "http://schemas.openxmlformats.org/presentationml/2006/main"
    transition = etree.SubElement(made.slides[0]._element, f"{{{space}}}transition")
    etree.SubElement(transition, f"{{{space}}}fade")
    made.save(str(file))
    assert presentation_is(file, {"slides": SLIDES}) == 0


@pytest.mark.parametrize("content", [b"", b"done\n", b"PK\x03\x04 not a zip"])
def test_what_is_no_presentation_fails(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "talk.pptx"
    path.write_bytes(content)
    assert presentation_is(path, {"slides": SLIDES}) == 0
