"""DAPO (Yu et al. 2025, arXiv:2503.14476): GRPO with three of its four changes.

- clip-higher (section 3.1): the upper clip is wider, so that unlikely tokens can rise;
- dynamic sampling (3.2): groups in which all or none succeed are replaced by new ones;
- token-level mean (3.3): long answers are not weakened.

The fourth, a penalty on overlong answers, has no use here: `sampling.max_tokens` ends them. The
paper has no pull to a reference: set `reinforce.ref_kl = 0` for it.
"""

from __future__ import annotations

from pydantic import Field

from trainer.algorithms.grpo import Grpo
from trainer.algorithms.protocol import LossTerms


class Dapo(Grpo):
    """GRPO's advantages of groups that all have signal."""

    eps_low: float = Field(0.2, ge=0, lt=1, description="clip of the ratio below 1")
    eps_high: float = Field(0.28, ge=0, description="clip of the ratio above 1")
    refills: int = Field(
        2, ge=0, description="times that groups without signal are replaced before a learner step"
    )

    def loss_terms(self) -> LossTerms:
        """The clip and the mean over tokens."""
        return {"eps_low": self.eps_low, "eps_high": self.eps_high, "aggregation": "token"}

    def most_refills(self) -> int:
        """See `Algorithm.most_refills`."""
        return self.refills
