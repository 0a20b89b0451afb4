"""Saving and exporting a real presentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.envs.apps.office.real_office import Refused

Call = Any


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
