"""Logprobs by chunks are those of one log_softmax over all logits, gradients included."""

from __future__ import annotations

import pytest
import torch

from trainer import selected_logprobs as module
from trainer.selected_logprobs import selected_logprobs


@pytest.mark.parametrize("chunk_rows", [1, 3, 100])
@pytest.mark.parametrize("has_divisor", [False, True])
def test_chunks_change_nothing(
    chunk_rows: int, has_divisor: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK_LOGITS", chunk_rows * 11)
    torch.manual_seed(0)
    hidden = torch.randn(7, 5, dtype=torch.float32, requires_grad=True)
    head = torch.randn(11, 5, dtype=torch.float32, requires_grad=True)
    targets = torch.tensor([0, 3, 10, 3, 1, 7, 2])
    divisor = torch.linspace(0.5, 2.0, 7) if has_divisor else None

    logs = torch.log_softmax((hidden @ head.T) / (1.0 if divisor is None else divisor[:, None]), -1)
    expected = logs.gather(1, targets[:, None])[:, 0], -(logs.exp() * logs).sum(-1)
    weights = torch.randn(2, 7)
    oracle = torch.autograd.grad(
        (weights[0] * expected[0]).sum() + (weights[1] * expected[1]).sum(), [hidden, head]
    )
    logprobs, entropy = selected_logprobs(hidden, head, targets, divisor)
    torch.testing.assert_close((logprobs, entropy), expected)
    total = (weights[0] * logprobs).sum() + (weights[1] * entropy).sum()
    for own, theirs in zip(torch.autograd.grad(total, [hidden, head]), oracle, strict=True):
        torch.testing.assert_close(own, theirs, rtol=1e-5, atol=1e-5)


def test_a_frozen_head_gets_no_gradient() -> None:
    hidden = torch.randn(2, 5, requires_grad=True)
    logprobs, _ = selected_logprobs(hidden, torch.randn(11, 5), torch.tensor([1, 2]), None)
    logprobs.sum().backward()
    assert hidden.grad is not None
    assert bool(hidden.grad.any())
