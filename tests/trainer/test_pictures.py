"""Equal bytes are one picture, and its tokens are those of the family's processor."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import UnidentifiedImageError

from tests.trainer.test_picture_forward import make_picture
from trainer.pictures import PictureReader
from trainer.samples import Picture
from trainer.tiny_models import make_tiny_model


def test_a_picture_is_read_once_and_counted_in_merged_patches(tmp_path: Path) -> None:
    make_tiny_model("qwen2.5-vl", tmp_path)
    reader = PictureReader(tmp_path)
    first, same = make_picture(1, 112, 84), make_picture(1, 112, 84)
    assert reader.read(first) is reader.read(same)
    assert reader.read(first).grid_3.tolist() == [1, 6, 8], "patches of 14 pixels"
    assert reader.count_tokens(first) == 12, "two by two patches a token"
    with pytest.raises(UnidentifiedImageError):
        reader.read(Picture(b"no picture"))
