"""Figures of one learner step, summed over its micro-batches."""

from __future__ import annotations

from trainer.corrections import Mismatch

STREAMS = ("rl", "ce", "prompt_ce", "ref_kl")


class StepMetrics:
    """`mismatch` compares engines with the same weights, `lagging` the tokens of older weights."""

    def __init__(self) -> None:
        self.grad_norms: list[float] = []
        self.mismatch, self.lagging = Mismatch(), Mismatch()
        self._sums: dict[str, float] = {}

    def add(self, sums: dict[str, float]) -> None:
        """Adds the sums of one micro-batch, as `total_loss` gives them."""
        for name, value in sums.items():
            self._sums[name] = self._sums.get(name, 0.0) + value

    def summarize(self, optimiser_steps: int) -> dict[str, float]:
        """Losses as means over optimiser steps, other figures as means over tokens."""
        losses = {f"loss/{name}": self._sum(name) / max(optimiser_steps, 1) for name in STREAMS}
        return {
            **losses,
            "loss/total": sum(losses.values()),
            "nll_mean": self._mean("nll", "completion"),
            "entropy_mean": self._mean("entropy", "completion"),
            "clip_fraction": self._mean("clipped", "rl_tokens"),
            "tis_capped_fraction": self._mean("tis_capped", "rl_tokens"),
            "masked_fraction": self._mean("masked", "rl_tokens"),
            "grad_norm": sum(self.grad_norms) / max(len(self.grad_norms), 1),
            **self.mismatch.metrics("mismatch"),
            **self.lagging.metrics("lagging"),
        }

    def _sum(self, name: str) -> float:
        return self._sums.get(name, 0.0)

    def _mean(self, name: str, count: str) -> float:
        return self._sum(name) / max(self._sum(count), 1.0)
