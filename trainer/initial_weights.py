"""Random weights from which a small model of a published family learns.

Guarantees: the same seed gives the same weights; every matrix is drawn anew, norms and biases are
left as they are.

A family's own scale (a standard deviation of 0.02 for all) is made for widths of thousands. At a
width of 128 it starts a vision tower so quietly that pictures hardly reach the logits.
"""

from __future__ import annotations

import torch
from torch import nn

EMBEDDING_STD = 1.0
POSITION_STD = 0.3
"""Of learned positions of patches: beside patches of about 1, and well apart."""


def draw_weights(model: nn.Module, seed: int) -> None:
    """Draws all matrices: the variance of an output is that of its inputs (LeCun et al. 1998,
    "Efficient BackProp", section 4.6: a standard deviation of 1 / sqrt(inputs))."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, module in model.named_modules():
            if isinstance(module, nn.Embedding):
                std = POSITION_STD if "pos_embed" in name else EMBEDDING_STD
            elif isinstance(module, nn.Linear | nn.Conv2d | nn.Conv3d):
                std = module.weight[0].numel() ** -0.5
            else:
                continue
            module.weight.normal_(0.0, std, generator=generator)
