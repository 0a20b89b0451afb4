"""Pictures are sized as the models' processors do."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from envs.contract.observations import Observation, ScreenPart, Screenshot
from envs.dialects import uitars
from envs.dialects.dialect import Display
from envs.dialects.pictures import fit_to_display, make_blank, smart_resize

SCREEN = Display(400, 200, shown=(200, 100))


def test_formats_of_pictures_need_a_screenshot() -> None:
    blind = Observation(hash="1")
    with pytest.raises(ValueError, match="screenshot"):
        uitars.render(None, [], blind, SCREEN)


@pytest.mark.parametrize(
    ("size", "resized"),
    [
        ((1920, 1080), (1932, 1092)),  # 1080 / 28 is 38.57, so 39 * 28
        ((28, 28), (280, 280)),  # grown to the least area, 100 * 28 * 28
        ((1280, 800), (1288, 812)),
    ],
)
def test_pictures_are_resized_as_the_models_processor_does(
    size: tuple[int, int], resized: tuple[int, int]
) -> None:
    limits = uitars.ABSOLUTE
    assert smart_resize(*size, limits.min_pixels, limits.max_pixels) == resized


def test_a_picture_is_shrunk_to_the_limit_of_the_serving_engine() -> None:
    assert smart_resize(1920, 1080, 3136, 1_000_000) == (1316, 728)


def test_a_blank_picture_has_the_size_and_format_of_the_one_it_hides() -> None:
    file = io.BytesIO()
    Image.new("RGB", (8, 6), (200, 0, 0)).save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    blank = make_blank(Screenshot(format="png", width=8, height=6, data=data))
    assert (blank.format, blank.width, blank.height) == ("png", 8, 6)
    with Image.open(io.BytesIO(base64.b64decode(blank.data))) as image:
        assert image.convert("RGB").getcolors() == [(48, (128, 128, 128))]


def test_a_part_keeps_its_shape_and_its_scale_beside_whole_screens() -> None:
    part = ScreenPart(left=0, top=0, right=10, bottom=10, screen=(400, 200))
    image = Image.new("RGB", (200, 200))
    file = io.BytesIO()
    image.save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    seen = Screenshot(format="png", width=200, height=200, data=data, part=part)
    fitted = fit_to_display(seen, Display(400, 200, shown=(100, 100)))
    assert (fitted.width, fitted.height, fitted.part) == (50, 50, part)
