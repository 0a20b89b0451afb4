"""A critic: the probability that an episode succeeds, from what the policy reads.

Two linear heads, of a step's prompt and of a task's first prompt, on the policy's last hidden state
at the prompt's last token: the state from which the answer is sampled. The policy's own weights do
not learn from it. A value's gradient would change the policy, and a head on fixed states costs one
forward of a batch's prompts. Logistic regression on the outcome (the loss of DigiRL's critics,
arXiv:2406.11896) is convex there: two heads for one value would be the same head.

Gradient descent with the step 4 / (E + 1), below which this loss falls at every pass: states are
normalised to a squared norm of E. It keeps no moments, so the weights are all there is to resume.

Shape suffixes: see `trainer/__init__.py`; an N is a state.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

Head = Literal["step", "task"]
PASSES = 50
"""Over each batch. The weights of earlier batches are the start, and are not forgotten."""
SHRINKAGE = 1e-3
"""L2 penalty: few episodes must not give certain values."""


class Critic:
    """Values begin at 1/2. Learn from a batch after its values were read: an episode must not be
    its own baseline."""

    def __init__(self, width: int) -> None:
        self._weights: dict[Head, Tensor] = {
            "step": torch.zeros(width + 1),
            "task": torch.zeros(width + 1),
        }

    def values(self, states_NE: Tensor, head: Head) -> list[float]:
        """Probability of a success from each state."""
        values: list[float] = torch.sigmoid(_inputs(states_NE) @ self._weights[head]).tolist()
        return values

    def learn(self, states_NE: Tensor, successes: list[bool], head: Head) -> None:
        """Moves a head towards the outcomes of the episodes that were in these states."""
        if not successes:
            return
        inputs_NI = _inputs(states_NE)
        targets_N = torch.tensor(successes, dtype=torch.float32)
        weights_I = self._weights[head].clone().requires_grad_()
        rate = 4 / inputs_NI.shape[1]
        for _ in range(PASSES):
            loss = F.binary_cross_entropy_with_logits(inputs_NI @ weights_I, targets_N)
            (slope_I,) = torch.autograd.grad(loss, weights_I)
            with torch.no_grad():
                weights_I -= rate * (slope_I + SHRINKAGE * weights_I)
        self._weights[head] = weights_I.detach()

    def state_dict(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {name: weights_I.clone() for name, weights_I in self._weights.items()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Critic:
        """Continues where `state_dict` was taken."""
        critic = cls(state["step"].numel() - 1)
        critic._weights = {"step": state["step"].clone(), "task": state["task"].clone()}
        return critic


def _inputs(states_NE: Tensor) -> Tensor:
    """Normalised states with a 1 for the bias."""
    normed_NE = F.layer_norm(states_NE.float(), states_NE.shape[1:])
    return torch.cat([normed_NE, torch.ones(len(states_NE), 1)], 1)
