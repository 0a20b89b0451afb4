"""AdamW over one flat fp32 tensor: one fused call updates all weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from trainer.learner_config import LearnerConfig


class FlatOptimizer:
    """Updates `master_P` by `gradient_P`; weight decay applies to the first `decayed` entries."""

    def __init__(self, master_P: Tensor, decayed: int, config: LearnerConfig) -> None:
        self.gradient_P = torch.zeros_like(master_P)
        self._master, self._decayed, self._config = master_P, decayed, config
        self.reset()

    def reset(self) -> None:
        """Forgets the moments."""
        cut = self._decayed
        # Two flat parameters, with and without weight decay, are views of the master; their
        # gradients are views of the flat gradient.
        self._parts = [
            torch.nn.Parameter(self._master[:cut]),
            torch.nn.Parameter(self._master[cut:]),
        ]
        for part, grad in zip(
            self._parts, (self.gradient_P[:cut], self.gradient_P[cut:]), strict=True
        ):
            part.grad = grad
        self._optimizer = torch.optim.AdamW(
            [
                {"params": [self._parts[0]], "weight_decay": self._config.weight_decay},
                {"params": [self._parts[1]], "weight_decay": 0.0},
            ],
            lr=self._config.lr,
            betas=self._config.betas,
            eps=self._config.adam_eps,
            fused=True,
        )

    def step(self, scale: float, rate: float) -> None:
        """One update with the gradient times `scale`."""
        self.gradient_P.mul_(scale)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()

    def moments(self) -> list[dict[str, Any]]:
        """The optimiser's state of each part, as copies on the CPU."""
        states = [self._optimizer.state.get(part, {}) for part in self._parts]
        return [{key: value.cpu().clone() for key, value in state.items()} for state in states]

    def load_moments(self, moments: list[dict[str, Any]]) -> None:
        """Takes back what `moments` gave."""
        self.reset()
        for part, state in zip(self._parts, moments, strict=True):
            if state:
                self._optimizer.state[part] = {
                    key: value.to(part.device, copy=True) for key, value in state.items()
                }
