"""Attention in plain products, for bf16 on a CPU.

PyTorch's fused attention multiplies bf16 in its backward there by loops of its own: of pictures of
140 patches that was 58% of an update, 8.6 ms a call where the products take 1. The products and the
softmax are computed in fp32, so the numbers are at least as exact.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from trainer.attention_options import check_options

UNFUSED = "deskhand_unfused"


def _attend_unfused(
    module: nn.Module,
    query_BHTD: Tensor,
    key_BKTD: Tensor,
    value_BKTD: Tensor,
    attention_mask: object,
    scaling: float | None = None,
    is_causal: bool | None = None,
    **options: Any,
) -> tuple[Tensor, None]:
    """See transformers' `AttentionInterface`: [B, H, T, D] -> [B, T, H, D]."""
    check_options(options, "attention in plain products")
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    bias = attention_mask if isinstance(attention_mask, Tensor) else None
    if bias is not None and bias.dtype == torch.bool:
        # This operation adds a mask to the scores; the public one turns it into a bias before.
        bias = torch.zeros_like(bias, dtype=query_BHTD.dtype).masked_fill_(~bias, float("-inf"))
    out_BHTD, _ = torch.ops.aten._scaled_dot_product_attention_math(
        query_BHTD,
        key_BKTD,
        value_BKTD,
        bias,
        0.0,
        # A mask says all of it; two of them are refused.
        bias is None and causal and query_BHTD.shape[2] > 1,
        scale=scaling,
        enable_gqa=query_BHTD.shape[1] != key_BKTD.shape[1],
    )
    return out_BHTD.transpose(1, 2).contiguous(), None


AttentionInterface.register(UNFUSED, _attend_unfused)
AttentionMaskInterface.register(UNFUSED, sdpa_mask)
