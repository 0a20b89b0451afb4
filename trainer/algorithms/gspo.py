"""Group sequence policy optimisation (GSPO, Zheng et al. 2025, arXiv:2507.18071): the advantages of
GRPO, with one ratio for a whole answer,
    s_i = (pi(y_i | x) / pi_old(y_i | x)) ** (1 / |y_i|),
    J = mean over answers of min(s_i A_i, clip(s_i, 1 - eps_low, 1 + eps_high) A_i).

An answer is a step of an episode. The clip is narrow because s_i is a geometric mean; its values
are those of the paper's section 5.1.
"""

from __future__ import annotations

from pydantic import Field

from trainer.algorithms.grpo import Grpo
from trainer.algorithms.protocol import LossTerms


class Gspo(Grpo):
    """Answers are clipped as a whole, tokens are not."""

    eps_low: float = Field(3e-4, ge=0, lt=1, description="clip of the sequence's ratio below 1")
    eps_high: float = Field(4e-4, ge=0, description="clip of the sequence's ratio above 1")

    def loss_terms(self) -> LossTerms:
        """The sequence's ratio, and the mean over answers."""
        return {
            "ratio": "sequence",
            "aggregation": "step",
            "eps_low": self.eps_low,
            "eps_high": self.eps_high,
        }
