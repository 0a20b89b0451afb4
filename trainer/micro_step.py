"""Forward and backward of one micro-batch: what one worker thread of the learner computes.

The weights are only read and gradients are returned, so that threads need no locks, and the learner
adds results up in a fixed order.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trainer.decoder import forward, target_log_softmax
from trainer.losses import LossConfig, StreamCounts, TokenLogprobs, total_loss
from trainer.packing import MicroBatch
from trainer.weights import FlatWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroResult:
    """Gradients of one micro-batch: the embedding's by rows in fp32, the others by matrix."""

    ids_T: Tensor
    embed_grad_TE: Tensor | None
    """None where the embedding is not trained by rows"""
    grads: dict[str, Tensor]
    proximal_N: Tensor
    """on the CPU: logprobs of the targets before the step's first update"""
    sums: dict[str, float]


def compute_gradients(
    weights: FlatWeights,
    reference: FlatWeights | None,
    batch: MicroBatch,
    *,
    before: Sequence[Tensor | None],
    counts: StreamCounts,
    loss_config: LossConfig,
    temperature: float,
) -> MicroResult:
    """Gradients of the loss's part of one micro-batch.

    `before` are proximal logprobs of the packed samples, None where the weights have not been
    updated since the step began: then the present forward gives them."""
    leaves = {name: leaf for name, leaf in weights.compute_views.items() if name != "embed"}
    # The gradient of the rows that were read instead of the whole embedding: the learner adds them
    # up in fp32, and no V x E tensor is made for a few hundred tokens.
    embedded_TE = weights.compute_views["embed"].detach()[batch.ids_T].requires_grad_()
    logs_NV = _log_softmax(weights, batch, embedded_TE, temperature)
    current_N = logs_NV.gather(1, batch.targets_N[:, None]).squeeze(1)
    with torch.set_grad_enabled(loss_config.entropy_weight != 0.0):
        entropy_N = -(logs_NV.exp() * logs_NV).sum(-1)
    reference_N = None
    if reference is not None and bool((batch.ref_kl_N != 0).any()):
        reference_N = target_logprobs(reference, batch, temperature)
    loss, proximal_N, sums = weigh_targets(
        current_N, entropy_N, reference_N, batch, before, counts, loss_config
    )
    embed_grad_TE, *leaf_grads = torch.autograd.grad(loss, [embedded_TE, *leaves.values()])
    return MicroResult(
        ids_T=batch.ids_T,
        embed_grad_TE=embed_grad_TE.float(),
        grads=dict(zip(leaves, leaf_grads, strict=True)),
        proximal_N=proximal_N.cpu(),
        sums=sums,
    )


def weigh_targets(
    current_N: Tensor,
    entropy_N: Tensor,
    reference_N: Tensor | None,
    batch: MicroBatch,
    before: Sequence[Tensor | None],
    counts: StreamCounts,
    loss_config: LossConfig,
) -> tuple[Tensor, Tensor, dict[str, float]]:
    """The loss's part of one micro-batch, the proximal logprobs [N], and sums for metrics.

    Proximal logprobs are those of `before`, and the present ones where it has None."""
    proximal_N = current_N.detach().clone()
    for place, rows in batch.completion_rows():
        known = before[place]
        if known is not None:
            proximal_N[rows] = known.to(proximal_N.device)
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=entropy_N,
        proximal_N=proximal_N,
        reference_N=reference_N,
    )
    loss, sums = total_loss(loss_config, tokens, batch, counts)
    return loss, proximal_N, sums


@torch.no_grad()
def target_logprobs(weights: FlatWeights, batch: MicroBatch, temperature: float) -> Tensor:
    """[N] fp32 logprobs of the targets, on the device of the batch."""
    embedded_TE = weights.compute_views["embed"][batch.ids_T]
    logs_NV = _log_softmax(weights, batch, embedded_TE, temperature)
    return logs_NV.gather(1, batch.targets_N[:, None]).squeeze(1)


def _log_softmax(
    weights: FlatWeights, batch: MicroBatch, embedded_TE: Tensor, temperature: float
) -> Tensor:
    views = weights.compute_views
    hidden_RE = forward(weights.shape, views, batch, embedded_TE)
    return target_log_softmax(hidden_RE, views["head"], batch, temperature)
