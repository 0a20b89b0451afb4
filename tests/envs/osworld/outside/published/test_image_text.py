"""The metric of the text in a picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.image_text import compare_image_text

LS = {"type": "text", "text": "ls"}


def test_what_is_no_picture_has_no_text(tmp_path: Path) -> None:
    path = tmp_path / "ls.png"
    path.write_bytes(b"no picture")
    assert compare_image_text(path, LS) == 0
    with pytest.raises(BadRules, match="'pixels'"):
        compare_image_text(path, {"type": "pixels", "text": "ls"})


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_text_of_a_picture_is_read(tmp_path: Path) -> None:
    shown = Image.new("RGB", (400, 80), "white")
    ImageDraw.Draw(shown).text((20, 20), "user$ ls Desktop", "black", ImageFont.load_default(28))
    shown.save(tmp_path / "ls.png")
    assert compare_image_text(tmp_path / "ls.png", LS) == 1
    assert compare_image_text(tmp_path / "ls.png", {**LS, "text": "Documents"}) == 0
