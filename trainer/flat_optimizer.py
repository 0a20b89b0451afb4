"""AdamW over one flat fp32 tensor: a few fused calls update all weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from trainer.learner_config import LearnerConfig
from trainer.rounded_adamw import RoundedAdamW

SLICE = 1 << 30
"""Entries of the flat tensor that are updated by one call: their offsets fit into 32 bits."""


class FlatOptimizer:
    """Updates `master_P` by `gradient_P`; weight decay applies to the first `decayed` entries."""

    def __init__(self, master_P: Tensor, decayed: int, config: LearnerConfig) -> None:
        self.gradient_P = torch.zeros_like(master_P)
        self._master, self._decayed, self._config = master_P, decayed, config
        self.reset()

    def reset(self) -> None:
        """Forgets the moments."""
        config = self._config
        decayed = self._make_parts(0, self._decayed)
        plain = self._make_parts(self._decayed, self._master.numel())
        self._parts = decayed + plain
        groups: list[dict[str, Any]] = [
            {"params": decayed, "weight_decay": config.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]
        self._optimizer: torch.optim.Optimizer
        if config.moments == "bfloat16":
            self._optimizer = RoundedAdamW(groups, config.lr, config.betas, config.adam_eps)
        else:
            self._optimizer = torch.optim.AdamW(
                groups, lr=config.lr, betas=config.betas, eps=config.adam_eps, fused=True
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

    def _make_parts(self, begin: int, end: int) -> list[torch.nn.Parameter]:
        """Views of the master as parameters, with views of the flat gradient; at least one."""
        parts = []
        for start in range(begin, max(end, begin + 1), SLICE):
            rows = slice(start, min(start + SLICE, end))
            part = torch.nn.Parameter(self._master[rows])
            part.grad = self.gradient_P[rows]
            parts.append(part)
        return parts
