"""How a model's prompts show pictures, from its chat template and its image processor.

Guarantees: a picture of a size that the format allows goes through the family's processor
unchanged, and makes as many tokens as its size says. Both are tried when the format is made.
"""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from transformers import PreTrainedTokenizerFast

from agent_server.policy.manifest import PictureFormat
from envs.dialects.pictures import smart_resize
from trainer.pictures import PictureReader
from trainer.samples import Picture

_TEXT = "deskhandmessage"
_TRIED = ((64, 64), (333, 217), (1280, 720))
"""Sizes of pictures that the format is tried on, before they are resized."""


class PictureFormatUnusable(ValueError):
    """A chat template or processor that shows pictures in another way; one sentence."""


def picture_format(
    tokenizer: PreTrainedTokenizerFast, model_config: Any, reader: PictureReader
) -> PictureFormat:
    """Raises PictureFormatUnusable."""
    token = int(model_config.image_token_id)
    ids = _shown_ids(tokenizer)
    if ids.count(token) != 1:
        raise PictureFormatUnusable(
            "the chat template does not show a picture by one token of its own, "
            f"{tokenizer.convert_ids_to_tokens(token)!r}"
        )
    at = ids.index(token)
    least, most = reader.limits
    video = getattr(model_config, "video_token_id", None)
    form = PictureFormat(
        before=tuple(ids[:at]),
        token=token,
        after=tuple(ids[at + 1 :]),
        factor=reader.factor,
        min_pixels=least,
        max_pixels=most,
        banned=tuple(dict.fromkeys(each for each in (token, video) if each is not None)),
    )
    for width, height in _TRIED:
        _check_size(form, reader, width, height)
    return form


def _shown_ids(tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """Ids that the template writes for a picture: what it adds before the same text."""
    text_part = {"type": "text", "text": _TEXT}
    before = []
    for content in ([text_part], [{"type": "image"}, text_part]):
        message: dict[str, Any] = {"role": "user", "content": content}
        rendered = tokenizer.apply_chat_template(
            [message], tokenize=False, add_generation_prompt=True
        )
        assert isinstance(rendered, str)
        before.append(rendered.partition(_TEXT)[0])
    alone, pictured = before
    if not pictured.startswith(alone):
        raise PictureFormatUnusable("the chat template writes something before a picture's message")
    ids: list[int] = tokenizer.encode(pictured[len(alone) :], add_special_tokens=False)
    return ids


def _check_size(form: PictureFormat, reader: PictureReader, width: int, height: int) -> None:
    size = smart_resize(width, height, form.min_pixels, form.max_pixels, form.factor)
    file = io.BytesIO()
    Image.new("RGB", size).save(file, "PNG")
    tokens = reader.count_tokens(Picture(file.getvalue()))
    if tokens != form.count_tokens(*size):
        raise PictureFormatUnusable(
            f"the model's image processor changes a picture of {size[0]} x {size[1]}: it makes "
            f"{tokens} tokens of it, not {form.count_tokens(*size)}"
        )
