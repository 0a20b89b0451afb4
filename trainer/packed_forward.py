"""A packed row through a language model of transformers: no sample sees another one.

Two ways, chosen by what the family's attention allows:

- *blocks*: transformers' attention interface runs `trainer.attention`, which follows the bundles,
  so a prompt that several samples share is read once, and masked blocks are not computed. For
  families whose layers all attend to everything before them;
- *positions*: each sample alone with its own prompt; transformers sees from position ids that begin
  again where a sample ends, and masks the rest with sdpa. For all others, and off the CPU.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel

from trainer.attention import Block, block_attention, plan_full
from trainer.packing import MicroBatch

BLOCKS = "deskhand_blocks"
_UNSUPPORTED = ("softcap", "s_aux", "position_bias")
"""Arguments of transformers' attention functions that `trainer.attention` does not have."""


def _attend_blocks(
    module: nn.Module,
    query_BHTD: Tensor,
    key_BKTD: Tensor,
    value_BKTD: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    blocks: list[Block] | None = None,
    **options: Any,
) -> tuple[Tensor, None]:
    """See transformers' `AttentionInterface`: [1, H, T, D] -> [1, T, H, D]."""
    unsupported = [name for name in _UNSUPPORTED if options.get(name) is not None]
    if blocks is None or unsupported:
        raise ValueError(f"attention by blocks cannot compute {unsupported or 'without blocks'}")
    q_THD, k_TKD, v_TKD = (
        tensor[0].transpose(0, 1) for tensor in (query_BHTD, key_BKTD, value_BKTD)
    )
    rows, heads, dim = q_THD.shape
    scale = dim**-0.5 if scaling is None else scaling
    out_T_HD = block_attention(q_THD, k_TKD, v_TKD, blocks, scale)
    return out_T_HD.view(1, rows, heads, dim), None


AttentionInterface.register(BLOCKS, _attend_blocks)


def uses_blocks(model: PreTrainedModel, device: torch.device) -> bool:
    """Whether the model is computed by blocks."""
    config = model.config.get_text_config()
    layers = set(getattr(config, "layer_types", None) or ["full_attention"])
    windowed = getattr(config, "use_sliding_window", getattr(config, "sliding_window", None))
    return (
        device.type == "cpu"
        and bool(getattr(model, "_supports_attention_backend", False))
        and layers == {"full_attention"}
        and not windowed
    )


def hidden_states(model: PreTrainedModel, batch: MicroBatch, embedded_TE: Tensor) -> Tensor:
    """Final hidden states [T, E] of a micro-batch; `embedded_TE` are its tokens' embeddings."""
    options: dict[str, Any] = {}
    if model.config._attn_implementation == BLOCKS:
        options["blocks"] = plan_full(batch.spans, embedded_TE.device)
    hidden_BTE: Tensor = model.get_decoder()(
        inputs_embeds=embedded_TE[None],
        position_ids=batch.positions_T[None],
        use_cache=False,
        **options,
    ).last_hidden_state
    return hidden_BTE[0]
