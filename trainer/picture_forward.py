"""A packed row with pictures through a vision-language model of transformers.

Each sample keeps its own rotary positions: frames, rows and columns of its pictures count from its
own beginning (M-RoPE). A fourth row, plain positions within the sample, stands before them: by that
one the model sees where a sample ends. With three rows samples would read each other silently.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from trainer.packing import MicroBatch, Span
from trainer.pictures import Patches, PictureReader
from trainer.samples import Picture


def hidden_states_with_pictures(
    model: Any, batch: MicroBatch, embedded_TE: Tensor, reader: PictureReader | None
) -> Tensor:
    """Final hidden states [T, E]; `embedded_TE` are the tokens' embeddings, which those of the
    vision tower replace where a token stands for a picture. Raises ValueError where these are not
    as many as the pictures make."""
    patches: list[Patches] = []
    positions_3T: list[Tensor] = []
    for span, pictures in zip(batch.spans, batch.pictures, strict=True):
        ids_T = batch.ids_T[span.start : span.end]
        seen = _read_pictures(pictures, reader)
        positions_3T.append(_rope_positions(model, ids_T, seen, pictures, reader))
        patches += seen
    rows_4T = torch.cat([batch.positions_T[None], torch.cat(positions_3T, 1)])
    options: dict[str, Any] = {}
    if patches:
        options["pixel_values"] = torch.cat([each.pixels_UX for each in patches]).to(
            batch.ids_T.device
        )
        options["image_grid_thw"] = torch.stack([each.grid_3 for each in patches])
    hidden_BTE: Tensor = model.model(
        inputs_embeds=embedded_TE[None], position_ids=rows_4T[:, None], use_cache=False, **options
    ).last_hidden_state
    return hidden_BTE[0]


def add_blank_picture(batch: MicroBatch, reader: PictureReader, token: int) -> MicroBatch:
    """The row with one more sample behind the others: a blank picture alone, shown by as many of
    the tokens as it makes. Nothing is predicted in it and no other sample reads it, so results and
    gradients stay what they are, but the vision tower runs."""
    blank = _blank_picture()
    count, start = reader.count_tokens(blank), len(batch.ids_T)
    end = start + count
    span = Span(start=start, tail=end, branch=end, end=end, branches=())
    return replace(
        batch,
        spans=(*batch.spans, span),
        ids_T=torch.cat([batch.ids_T, batch.ids_T.new_full((count,), token)]),
        positions_T=torch.cat([batch.positions_T, batch.positions_T.new_tensor(range(count))]),
        pictures=(*batch.pictures, (blank,)),
    )


@cache
def _blank_picture() -> Picture:
    """So small that a processor makes it as small as it may be."""
    file = io.BytesIO()
    Image.new("RGB", (32, 32)).save(file, "PNG")
    return Picture(file.getvalue())


def _read_pictures(pictures: Sequence[Picture], reader: PictureReader | None) -> list[Patches]:
    if pictures and reader is None:
        raise ValueError("samples have pictures: make the learner from the model's folder")
    return [] if reader is None else [reader.read(picture) for picture in pictures]


def _rope_positions(
    model: Any,
    ids_T: Tensor,
    seen: Sequence[Patches],
    pictures: Sequence[Picture],
    reader: PictureReader | None,
) -> Tensor:
    """[3, T] of one sample."""
    is_picture_T = ids_T == model.config.image_token_id
    expected = sum(reader.count_tokens(picture) for picture in pictures) if reader else 0
    if int(is_picture_T.sum()) != expected:
        raise ValueError(
            f"a sample has {int(is_picture_T.sum())} tokens for pictures, its {len(pictures)} "
            f"pictures make {expected}: its prompt was not expanded by the same image processor"
        )
    if not seen:
        return torch.arange(len(ids_T), device=ids_T.device).expand(3, -1)
    positions_3BT, _ = model.model.get_rope_index(
        ids_T[None],
        mm_token_type_ids=is_picture_T.int()[None],
        image_grid_thw=torch.stack([each.grid_3 for each in seen]).to(ids_T.device),
    )
    positions_3T: Tensor = positions_3BT[:, 0]
    return positions_3T
