"""A packed row through a language model of transformers: no sample sees another one.

Three ways, chosen by the device and by what the family's attention allows:

- *blocks*: transformers' attention interface runs `trainer.attention`, which follows the bundles,
  so a prompt that several samples share is read once, and masked blocks are not computed. On a
  CPU, for families whose layers all attend to everything before them;
- *varlen*: for the same families in bf16 on CUDA, `trainer.varlen_attention`: flash kernels that
  know where each sample begins. Each sample has its own prompt;
- *positions*: for all others; each sample has its own prompt, too. transformers sees from position
  ids that begin again where a sample ends, and sdpa masks the rest: T x T, and computed in full.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel

from trainer.attention import Block, block_attention, plan_full
from trainer.attention_options import check_options
from trainer.packing import MicroBatch, Span
from trainer.varlen_attention import varlen_attention

BLOCKS = "deskhand_blocks"
VARLEN = "deskhand_varlen"
POSITIONS = "sdpa"


def _attend_blocks(
    module: nn.Module,
    query_BHTD: Tensor,
    key_BKTD: Tensor,
    value_BKTD: Tensor,
    attention_mask: object,
    scaling: float | None = None,
    blocks: list[Block] | None = None,
    **options: Any,
) -> tuple[Tensor, None]:
    """See transformers' `AttentionInterface`: [1, H, T, D] -> [1, T, H, D]."""
    if blocks is None:
        raise ValueError("attention by blocks needs the blocks")
    check_options(options, "packed attention")
    q_THD, k_TKD, v_TKD = (
        tensor[0].transpose(0, 1) for tensor in (query_BHTD, key_BKTD, value_BKTD)
    )
    rows, heads, dim = q_THD.shape
    scale = dim**-0.5 if scaling is None else scaling
    out_T_HD = block_attention(q_THD, k_TKD, v_TKD, blocks, scale)
    return out_T_HD.view(1, rows, heads, dim), None


def _attend_varlen(
    module: nn.Module,
    query_BHTD: Tensor,
    key_BKTD: Tensor,
    value_BKTD: Tensor,
    attention_mask: object,
    scaling: float | None = None,
    bounds_Z: Tensor | None = None,
    longest: int = 0,
    **options: Any,
) -> tuple[Tensor, None]:
    """See transformers' `AttentionInterface`: [1, H, T, D] -> [1, T, H, D]."""
    if bounds_Z is None:
        raise ValueError("attention by samples needs their bounds")
    check_options(options, "packed attention")
    q_THD, k_TKD, v_TKD = (
        tensor[0].transpose(0, 1) for tensor in (query_BHTD, key_BKTD, value_BKTD)
    )
    scale = q_THD.shape[2] ** -0.5 if scaling is None else scaling
    return varlen_attention(q_THD, k_TKD, v_TKD, bounds_Z, longest, scale)[None], None


AttentionInterface.register(BLOCKS, _attend_blocks)
AttentionInterface.register(VARLEN, _attend_varlen)


def choose_attention(model: PreTrainedModel, device: torch.device, dtype: torch.dtype) -> str:
    """BLOCKS, VARLEN or POSITIONS for a model that is computed there and in this dtype."""
    config = model.config.get_text_config()
    layers = set(getattr(config, "layer_types", None) or ["full_attention"])
    windowed = getattr(config, "use_sliding_window", getattr(config, "sliding_window", None))
    if (
        hasattr(model.config, "vision_config")
        or not getattr(model, "_supports_attention_backend", False)
        or layers != {"full_attention"}
        or windowed
    ):
        return POSITIONS
    if device.type == "cpu":
        return BLOCKS
    # Flash kernels have no fp32.
    return VARLEN if device.type == "cuda" and dtype == torch.bfloat16 else POSITIONS


def hidden_states(model: PreTrainedModel, batch: MicroBatch, embedded_TE: Tensor) -> Tensor:
    """Final hidden states [T, E] of a micro-batch; `embedded_TE` are its tokens' embeddings."""
    options: dict[str, Any] = {}
    if model.config._attn_implementation == BLOCKS:
        options["blocks"] = plan_full(batch.spans, embedded_TE.device)
    elif model.config._attn_implementation == VARLEN:
        options["bounds_Z"], options["longest"] = sample_bounds(batch.spans, embedded_TE.device)
    # A copy, since a compiler takes a view for another case than what comes out of a layer, and
    # would compile the first layer for itself.
    hidden_BTE: Tensor = model.get_decoder()(
        inputs_embeds=embedded_TE[None].clone(),
        position_ids=batch.positions_T[None],
        use_cache=False,
        **options,
    ).last_hidden_state
    return hidden_BTE[0]


def sample_bounds(spans: Sequence[Span], device: torch.device) -> tuple[Tensor, int]:
    """Where samples begin and the last one ends, and the rows of the longest."""
    bounds_Z = torch.tensor([0, *(span.end for span in spans)], dtype=torch.int32)
    longest = max(span.end - span.start for span in spans)
    return bounds_Z.to(device, non_blocking=True), longest
