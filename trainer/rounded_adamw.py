"""AdamW (Loshchilov & Hutter 2019, arXiv:1711.05101) whose moments are kept in bf16.

    m = b1 m + (1 - b1) g,   v = b2 v + (1 - b2) g^2
    w = w (1 - lr decay) - lr (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)

All is computed in fp32; then moments are rounded up or down at random, so that their expectation is
exact. Rounded to nearest, a moment that moves by less than 1/256 a step would never move. Saves 4
bytes a parameter. The same steps give the same rounding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from trainer.sharded_tensors import local_share

CHUNK = 1 << 25
"""Entries updated at once: bounds the memory of what is in between."""


class RoundedAdamW(torch.optim.Optimizer):
    """Updates parameters, of sharded ones this process's share. All have gradients at every
    step."""

    def __init__(
        self,
        params: Iterable[dict[str, Any]],
        lr: float,
        betas: tuple[float, float],
        eps: float,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": 0.0})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """One update; there is no loss to compute again."""
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                if not state:
                    state["step"] = torch.zeros(())
                    for name in ("exp_avg", "exp_avg_sq"):
                        state[name] = torch.zeros_like(parameter, dtype=torch.bfloat16)
                state["step"] = state["step"] + 1
                self._update(group, parameter, state)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes back what `state_dict` gave. PyTorch makes moments of the weights' dtype."""
        super().load_state_dict(state_dict)
        for state in self.state.values():
            for name in ("exp_avg", "exp_avg_sq"):
                state[name] = state[name].to(torch.bfloat16)

    def _update(
        self, group: dict[str, Any], parameter: torch.nn.Parameter, state: dict[str, Tensor]
    ) -> None:
        step = int(state["step"])
        (beta1, beta2), rate = group["betas"], group["lr"]
        dice = torch.Generator(parameter.device).manual_seed(step)
        assert parameter.grad is not None
        pieces = (parameter, parameter.grad, state["exp_avg"], state["exp_avg_sq"])
        chunks = [local_share(piece).view(-1).split(CHUNK) for piece in pieces]
        for weight, grad, first, second in zip(*chunks, strict=True):
            mean = first.float().lerp_(grad, 1 - beta1)
            square = second.float().mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            weight.mul_(1 - rate * group["weight_decay"])
            floor = (square / (1 - beta2**step)).sqrt_().add_(group["eps"])
            weight.addcdiv_(mean, floor, value=-rate / (1 - beta1**step))
            first.copy_(round_at_random(mean, dice))
            second.copy_(round_at_random(square, dice))


def round_at_random(values_P: Tensor, dice: torch.Generator) -> Tensor:
    """fp32 -> bf16, up or down with the probability that keeps the mean. Overwrites `values_P`."""
    # bf16 is the upper half of fp32's bits: noise in the lower half carries into the upper one.
    bits = values_P.view(torch.int32)
    bits += torch.randint(
        1 << 16, bits.shape, generator=dice, dtype=torch.int32, device=values_P.device
    )
    bits &= -(1 << 16)
    return values_P.to(torch.bfloat16)
