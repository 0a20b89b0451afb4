from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.apps.office.pictures import check_file_exists, check_picture, display_size
from envs.apps.office.registry import OfficeError


def make_graphic(width: int, height: int, mime_type: str = "image/png") -> Any:
    size = SimpleNamespace(Width=width, Height=height)
    return SimpleNamespace(SizePixel=size, MimeType=mime_type)


@pytest.mark.parametrize(
    ("width_cm", "height_cm", "size"),
    [
        (None, None, (2540, 1270)),
        (10, None, (10000, 5000)),
        (None, 2, (4000, 2000)),
        (3, 3, (3000, 3000)),
    ],
)
def test_a_missing_length_keeps_the_proportion(
    width_cm: float | None, height_cm: float | None, size: tuple[int, int]
) -> None:
    assert display_size(make_graphic(96, 48), "a.png", width_cm, height_cm) == size


@pytest.mark.parametrize(
    "graphic", [None, make_graphic(0, 0), make_graphic(32, 32, "image/x-vclgraphic")]
)
def test_what_libreoffice_could_not_read_is_refused(graphic: Any) -> None:
    with pytest.raises(OfficeError, match=r"a\.txt is not a picture"):
        check_picture(graphic, "a.txt")


def test_a_small_square_picture_is_a_picture() -> None:
    check_picture(make_graphic(32, 32), "a.png")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OfficeError, match="there is no file") as refused:
        check_file_exists(str(tmp_path))
    assert refused.value.reason == "not_found"
