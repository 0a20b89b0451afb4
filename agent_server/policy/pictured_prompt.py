"""A prompt with its pictures, as the engine is sent it and as the learner reads it.

The engine is sent one placeholder a picture beside the picture's file, and puts as many tokens in
its place as its processor makes patches. The learner has its own processor. Both must come to the
same ids: they are computed here from the picture's size, and compared with the engine's.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from agent_server.episodes.seeing_agent import seen_picture
from agent_server.episodes.trajectory import SeenPicture
from agent_server.policy.manifest import (
    BadVersion,
    PictureFormat,
    Probe,
    PromptFormat,
    read_prompt_format,
)
from envs.contract.observations import Screenshot
from envs.dialects.pictures import data_url, fit_to_size, smart_resize

NEVER = -100.0
"""Added to the logit of a token that must not be sampled."""


class PromptMisread(Exception):
    """The engine read other tokens than the learner will; one sentence."""


def fit_picture(picture: Screenshot, form: PictureFormat, most: int | None = None) -> Screenshot:
    """A picture as large as the model reads it, at most `most` pixels. Without loss."""
    limit = form.max_pixels if most is None else min(most, form.max_pixels)
    size = smart_resize(picture.width, picture.height, form.min_pixels, limit, form.factor)
    return fit_to_size(picture, size)


class PicturedPrompt:
    """`pictures` have sizes that the model's processor leaves as they are (`fit_picture`)."""

    def __init__(self, form: PromptFormat, pictures: Sequence[Screenshot]) -> None:
        self._form, self._pictures = form, pictures
        self._tokens: list[int] = []
        if pictures and form.picture is None:
            raise ValueError("the model reads no pictures: its prompt.json has no picture format")
        if form.picture is not None:
            self._tokens = [form.picture.count_tokens(each.width, each.height) for each in pictures]

    def room(self, max_model_len: int, max_tokens: int) -> int:
        """See `PromptFormat.room`."""
        return self._form.room(max_model_len, max_tokens, self._tokens)

    def expand(self, text_ids: Sequence[int], room: int | None) -> list[int]:
        """Ids as the model reads them."""
        return self._form.wrap(text_ids, room, self._tokens)

    def request(self, text_ids: Sequence[int], room: int | None) -> dict[str, Any]:
        """Fields of the engine's request that hold the prompt."""
        if not self._pictures:
            return {"token_ids": self.expand(text_ids, room)}
        return {
            "token_ids": self._form.wrap(text_ids, room, [1] * len(self._pictures)),
            "content_parts": [content_part(picture) for picture in self._pictures],
            "return_token_ids": True,
        }

    def sampling(self) -> dict[str, Any]:
        """Sampling parameters: an answer holds no token that stands for a picture."""
        banned = () if self._form.picture is None else self._form.picture.banned
        return {"logit_bias": {str(token): NEVER for token in banned}} if banned else {}

    def check(self, ids: Sequence[int], reply: dict[str, Any]) -> tuple[SeenPicture, ...]:
        """The pictures with their places in the prompt. Raises PromptMisread."""
        if not self._pictures:
            return ()
        if list(reply.get("prompt_token_ids") or ()) != list(ids):
            raise PromptMisread(
                "the policy server's processor made other tokens of a picture than its size says: "
                "the model's preprocessor_config.json is not the one that prompt.json was made from"
            )
        assert self._form.picture is not None
        lead = len(self._form.picture.before)
        places, at = [], len(self._form.prefix)
        for picture, tokens in zip(self._pictures, self._tokens, strict=True):
            update = {"offset": at + lead, "tokens": tokens}
            places.append(seen_picture(picture).model_copy(update=update))
            at += len(self._form.picture.show(tokens))
        return tuple(places)


def content_part(picture: Screenshot) -> dict[str, Any]:
    """A picture in the engine's request."""
    return {"type": "image_url", "url": data_url(picture)}


def probe_request(folder: Path, probe: Probe) -> dict[str, Any]:
    """Fields of a request that holds a probe of the version in `folder`: its pictures are files
    there. Raises BadVersion."""
    if not probe.pictures:
        return {"token_ids": list(probe.token_ids)}
    form = read_prompt_format(folder).picture
    if form is None:
        raise BadVersion(f"{folder} has probes with pictures, but its prompt.json shows none")
    parts = []
    for name in probe.pictures:
        kind = name.rpartition(".")[2]
        data = base64.b64encode((folder / name).read_bytes()).decode()
        parts.append({"type": "image_url", "url": f"data:image/{kind};base64,{data}"})
    return {"token_ids": _collapse(probe.token_ids, form.token), "content_parts": parts}


def _collapse(ids: Sequence[int], token: int) -> list[int]:
    """One placeholder for each run of a picture's tokens."""
    return [each for each, run in groupby(ids) for _ in ([0] if each == token else run)]
