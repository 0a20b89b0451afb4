"""Figures of a learner step from the sums of its micro-batches."""

from __future__ import annotations

import torch

from trainer.step_metrics import StepMetrics


def test_losses_are_means_over_steps_and_other_figures_over_tokens() -> None:
    metrics = StepMetrics()
    metrics.add({"rl": 1.0, "ce": 0.5, "nll": 6.0, "entropy": 2.0, "completion": 3.0})
    metrics.add({"rl": 2.0, "completion": 1.0, "clipped": 1.0, "rl_tokens": 4.0})
    metrics.grad_norms += [1.0, 3.0]
    figures = metrics.summarize(optimiser_steps=2)
    assert (figures["loss/rl"], figures["loss/ce"], figures["loss/total"]) == (1.5, 0.25, 1.75)
    assert (figures["nll_mean"], figures["entropy_mean"]) == (1.5, 0.5)
    assert (figures["clip_fraction"], figures["grad_norm"]) == (0.25, 2.0)


def test_fresh_and_stale_tokens_are_compared_apart() -> None:
    metrics = StepMetrics()
    metrics.mismatch.add(torch.tensor([0.5]))
    metrics.lagging.add(torch.tensor([2.0, 4.0]))
    figures = metrics.summarize(optimiser_steps=1)
    assert figures["mismatch/abs_logprob_mean"] == 0.5
    assert (figures["lagging/abs_logprob_mean"], figures["lagging/tokens"]) == (3.0, 2.0)


def test_a_step_without_tokens_has_figures_all_the_same() -> None:
    figures = StepMetrics().summarize(optimiser_steps=1)
    assert figures["nll_mean"] == figures["grad_norm"] == figures["loss/total"] == 0.0
