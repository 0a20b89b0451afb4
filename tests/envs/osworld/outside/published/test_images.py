"""Pictures are read within bounds and compared by structure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter

from envs.osworld.outside.published.error_policy import Unreadable
from envs.osworld.outside.published.images import read_image, similar, similar_to_the_eye
from tests.osworld.pictures import cut_out, scene

Save = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def saved(name: str, image: Image.Image, **options: Any) -> Path:
        image.save(tmp_path / name, **options)
        return tmp_path / name

    return saved


@pytest.fixture
def picture(save: Save) -> Path:
    return save("scene.png", scene())


def test_half_a_picture_cannot_be_read(tmp_path: Path, picture: Path) -> None:
    half = tmp_path / "half.png"
    half.write_bytes(picture.read_bytes()[:-2000])
    with pytest.raises(Unreadable):
        read_image(half)


def test_a_huge_picture_is_not_decoded(save: Save) -> None:
    bomb = save("bomb.png", Image.new("1", (20_000, 20_000)))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(Unreadable, match="decompression bomb"):
        read_image(bomb)


def test_structure_survives_softening_and_not_another_picture() -> None:
    assert similar(scene(), scene().filter(ImageFilter.GaussianBlur(0.5)))
    assert not similar(scene(), scene(5))
    assert not similar(scene(), scene().resize((60, 40)))
    assert not similar(Image.new("L", (6, 20)), Image.new("L", (6, 20)))


def test_what_is_transparent_must_be_so_in_both() -> None:
    kept, lost = cut_out(keep_colours=True), cut_out(keep_colours=False)
    assert similar_to_the_eye(kept, lost)
    assert not similar_to_the_eye(kept, kept.convert("RGB"))
    assert similar(kept, kept.convert("RGB"))
    assert not similar(kept, lost)
