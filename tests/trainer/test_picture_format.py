"""How each family's prompts show pictures, and which sizes its processor leaves as they are."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from transformers import AutoConfig

from envs.dialects.pictures import smart_resize
from tests.trainer.test_picture_forward import SEES
from trainer.picture_format import PictureFormatUnusable, picture_format
from trainer.pictures import PictureReader
from trainer.samples import Picture
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import load_tokenizer


@pytest.mark.parametrize("family", SEES)
def test_pictures_of_any_size_are_resized_to_what_the_family_leaves_alone(
    family: str, tmp_path: Path
) -> None:
    make_tiny_model(family, tmp_path)
    tokenizer, reader = load_tokenizer(tmp_path), PictureReader(tmp_path)
    form = picture_format(tokenizer, AutoConfig.from_pretrained(tmp_path), reader)
    names = tokenizer.convert_ids_to_tokens([*form.before, form.token, *form.after])
    expected = {
        "glm-4.1v": ["<|begin_of_image|>", "<|image|>", "<|end_of_image|>"],
    }.get(family, ["<|vision_start|>", "<|image_pad|>", "<|vision_end|>"])
    assert names == expected
    assert form.token in form.banned
    for width, height in ((20, 20), (160, 224), (1024, 768), (500, 90), (3000, 2000)):
        size = smart_resize(width, height, form.min_pixels, form.max_pixels, form.factor)
        file = io.BytesIO()
        Image.new("RGB", size).save(file, "PNG")
        patches = reader.read(Picture(file.getvalue()))
        rows, columns = (int(side) for side in patches.grid_3[1:])
        patch = form.factor // 2
        assert (columns * patch, rows * patch) == size, "the processor changes nothing"


def test_a_template_that_shows_no_picture_is_refused(tmp_path: Path) -> None:
    make_tiny_model("qwen3-vl", tmp_path)
    tokenizer, config = load_tokenizer(tmp_path), AutoConfig.from_pretrained(tmp_path)
    tokenizer.chat_template = "{{ messages[0]['content'][-1]['text'] }}"
    with pytest.raises(PictureFormatUnusable, match="does not show a picture"):
        picture_format(tokenizer, config, PictureReader(tmp_path))
