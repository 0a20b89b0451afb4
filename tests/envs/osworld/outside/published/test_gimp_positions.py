"""Where something is in a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from envs.osworld.outside.published import gimp_positions as places
from tests.osworld.pictures import shape


def _saved(folder: Path, image: Image.Image) -> Path:
    file = folder / f"{len(list(folder.iterdir()))}.png"
    image.save(file)
    return file


@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_a_shape_is_in_the_middle(tmp_path: Path, soft: bool, mode: str) -> None:
    middle = shape(100, 80, (52, 42), soft).convert(mode)
    corner = shape(100, 80, (60, 40), soft).convert(mode)
    assert places.check_triangle_position(_saved(tmp_path, middle)) == 1
    assert places.check_triangle_position(_saved(tmp_path, corner)) == 0


def test_one_colour_is_no_shape(tmp_path: Path) -> None:
    file = _saved(tmp_path, Image.new("RGB", (20, 20)))
    assert places.check_triangle_position(file) == 0
    with pytest.raises(IndexError):
        places.check_triangle_position_compat(file)


def test_upstream_looks_at_the_background(tmp_path: Path) -> None:
    corner = _saved(tmp_path, shape(100, 80, (20, 20)))
    assert places.check_triangle_position(corner) == 0
    assert places.check_triangle_position_compat(corner) == 1


def test_the_second_triangle_is_nearer_to_the_middle(tmp_path: Path) -> None:
    near, far = (_saved(tmp_path, shape(100, 80, at)) for at in ((50, 40), (20, 20)))
    assert places.compare_triangle_positions(far, near) == 1
    assert places.compare_triangle_positions(near, far) == 0
    assert places.compare_triangle_positions_compat(far, near) == 0
    blank = _saved(tmp_path, Image.new("RGB", (20, 20)))
    assert places.compare_triangle_positions(blank, near) == 0


@pytest.mark.parametrize(("left", "score"), [(0, 1), (9, 1), (10, 0), (100, 0), (200, 0)])
def test_a_text_begins_at_the_left(tmp_path: Path, left: int, score: float) -> None:
    image = Image.new("RGB", (200, 40), "white")
    image.paste("black", (left, 10, 200, 30))
    assert places.check_textbox_on_leftside(_saved(tmp_path, image)) == score


def test_what_is_transparent_is_not_dark(tmp_path: Path) -> None:
    image = Image.new("RGBA", (200, 40), (0, 0, 0, 0))
    image.paste("black", (100, 10, 150, 30))
    file = _saved(tmp_path, image)
    assert places.check_textbox_on_leftside(file) == 0
    assert places.check_textbox_on_leftside_compat(file) == 1


@pytest.mark.parametrize("size", [(40, 40), (60, 40), (40, 60)])
def test_the_background_is_green_and_the_object_black(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    white, green = Image.new("RGB", size, "white"), Image.new("RGB", size, (10, 200, 30))
    for image in (white, green):
        image.paste("black", (10, 10, 20, 30))
    gold, filled = _saved(tmp_path, white), _saved(tmp_path, green)
    assert places.check_green_background(filled, gold) == 1
    green.putpixel((size[0] - 1, size[1] - 1), (255, 255, 255))
    assert places.check_green_background(_saved(tmp_path, green), gold) == 0
    if size[0] == size[1]:
        assert places.check_green_background_compat(filled, gold) == 1
    else:
        with pytest.raises(IndexError):
            places.check_green_background_compat(filled, gold)


def test_another_size_is_not_filled(tmp_path: Path) -> None:
    small, large = (
        _saved(tmp_path, Image.new("RGB", (side, side), (10, 200, 30))) for side in (8, 9)
    )
    assert places.check_green_background(small, large) == 0


@pytest.mark.parametrize(
    "metric", [places.check_triangle_position, places.check_textbox_on_leftside]
)
def test_a_broken_picture_scores_nothing(tmp_path: Path, metric: Callable[[Path], float]) -> None:
    (tmp_path / "broken").write_bytes(b"GIF89a")
    assert metric(tmp_path / "broken") == 0
