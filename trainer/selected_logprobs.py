"""Logprobs of chosen tokens and entropies, without the [N, V] tensor of all logits.

    lse = logsumexp(z),  log p_t = z_t - lse,  H = lse - sum(p z),     z = W h / temperature
    d log p_t / dz = onehot_t - p,             dH / dz = -p (log p + H)

Logits are made for a few rows at a time, in the forward and again in the backward: the product in
the compute dtype, the rest in fp32. A vocabulary of 150,000 entries and 4,096 targets would need
2.5 GB in fp32 otherwise, several times over.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

CHUNK_LOGITS = 1 << 24
"""Logits held at once, 64 MiB in fp32."""
GPU_CHUNK_LOGITS = 1 << 27
"""The same on a GPU, 512 MiB: its matrix units need more rows."""


def _chunks(rows: int, head_VE: Tensor) -> Iterator[slice]:
    logits = CHUNK_LOGITS if head_VE.device.type == "cpu" else GPU_CHUNK_LOGITS
    size = max(logits // head_VE.shape[0], 1)
    for begin in range(0, rows, size):
        yield slice(begin, min(begin + size, rows))


def _scaled_logits(hidden_NE: Tensor, head_VE: Tensor, divisor_N: Tensor | None) -> Tensor:
    logits_NV = F.linear(hidden_NE, head_VE).float()
    return logits_NV if divisor_N is None else logits_NV / divisor_N[:, None]


class SelectedLogprobs(torch.autograd.Function):
    """hidden [N, E], head [V, E], targets [N], divisor [N] or None -> logprobs [N], entropy [N]."""

    @staticmethod
    def forward(
        ctx: Any, hidden_NE: Tensor, head_VE: Tensor, targets_N: Tensor, divisor_N: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        rows = hidden_NE.shape[0]
        logprobs_N = torch.empty(rows, dtype=torch.float32, device=hidden_NE.device)
        entropy_N = torch.empty_like(logprobs_N)
        for part in _chunks(rows, head_VE):
            divisor_part_N = None if divisor_N is None else divisor_N[part]
            logs_NV = torch.log_softmax(
                _scaled_logits(hidden_NE[part], head_VE, divisor_part_N), -1
            )
            logprobs_N[part] = logs_NV.gather(1, targets_N[part, None]).squeeze(1)
            entropy_N[part] = -(logs_NV.exp() * logs_NV).sum(-1)
        ctx.save_for_backward(hidden_NE, head_VE, targets_N, divisor_N, entropy_N)
        ctx.set_materialize_grads(False)
        return logprobs_N, entropy_N

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad_logprobs_N: Tensor | None, grad_entropy_N: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        hidden_NE, head_VE, targets_N, divisor_N, entropy_N = ctx.saved_tensors
        if grad_logprobs_N is None:
            grad_logprobs_N = torch.zeros_like(entropy_N)
        grad_hidden_NE = torch.empty_like(hidden_NE)
        needs_head = ctx.needs_input_grad[1]
        parts = list(_chunks(hidden_NE.shape[0], head_VE))
        grad_head_VE: Tensor | None = None
        for part in parts:
            divisor_part_N = None if divisor_N is None else divisor_N[part]
            logs_NV = torch.log_softmax(
                _scaled_logits(hidden_NE[part], head_VE, divisor_part_N), -1
            )
            probs_NV = logs_NV.exp()
            grad_NV = probs_NV * -grad_logprobs_N[part, None]
            grad_NV.scatter_add_(1, targets_N[part, None], grad_logprobs_N[part, None])
            if grad_entropy_N is not None:
                slope_NV = probs_NV * (logs_NV + entropy_N[part, None])
                grad_NV -= grad_entropy_N[part, None] * slope_NV
            if divisor_part_N is not None:
                grad_NV /= divisor_part_N[:, None]
            grad_NV = grad_NV.to(hidden_NE.dtype)
            grad_hidden_NE[part] = grad_NV @ head_VE
            if needs_head:
                share_VE = grad_NV.T @ hidden_NE[part]
                if len(parts) > 1:
                    # Summed in fp32, rounded once.
                    share_VE = share_VE.float()
                grad_head_VE = share_VE if grad_head_VE is None else grad_head_VE.add_(share_VE)
        head_gradient = None if grad_head_VE is None else grad_head_VE.to(head_VE.dtype)
        return grad_hidden_NE, head_gradient, None, None


selected_logprobs: Callable[[Tensor, Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor]] = (
    SelectedLogprobs.apply
)
"""`SelectedLogprobs` as a function: hidden, head, targets, divisor."""
