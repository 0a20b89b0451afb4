"""DigiRL (Bai et al. 2024, arXiv:2406.11896): imitation of what two critics find better than
expected (hard advantage-weighted regression).

- Instruction level: of the batch's episodes the share `kept` with the largest
  r - V_task(first prompt); equal ones are kept together.
- Step level: A_t = decay^(H-t) r + (1 - decay^(H-t)) (V(s_t+1) - V(s_t)), H the last step: near the
  end the outcome counts, far from it the change of value. Steps with A_t > 1 / H are imitated,
  but for those whose answers were refused.

The paper takes the smaller of two step-level heads; linear heads on fixed states would be the same
(`trainer.critic`). Values are probabilities of a success, where the paper's reward is a success.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from trainer.algorithms.protocol import Algorithm, BatchView, EpisodeView, Need
from trainer.algorithms.scores import Vector


class DigiRl(Algorithm):
    """Only steps that improved an episode which went better than its task promised."""

    needs: ClassVar[frozenset[Need]] = frozenset({"values"})
    kept: float = Field(0.1, gt=0, le=1, description="share of the episodes that are trained on")
    decay: float = Field(0.5, ge=0, le=1, description="of the outcome, for each step to the end")

    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """1 for a step that is imitated, 0 for the others."""
        surprises = np.array(
            [e.reward - e.task_value for group in batch.groups for e in group.episodes]
        )
        count = max(1, int(self.kept * surprises.size))
        bound = np.sort(surprises)[-count] if surprises.size else 0.0
        return [
            [
                self._is_imitated(e).astype(np.float64)
                if e.reward - e.task_value >= bound
                else np.zeros(len(e.steps))
                for e in group.episodes
            ]
            for group in batch.groups
        ]

    def _is_imitated(self, episode: EpisodeView) -> NDArray[np.bool_]:
        is_readable = np.array([not step.refused for step in episode.steps], dtype=bool)
        return is_readable & (self.step_advantages(episode) > 1 / max(len(episode.steps), 1))

    def step_advantages(self, episode: EpisodeView) -> Vector:
        """A_t of each step; the state after the last one has no value of its own."""
        values = np.array([step.value for step in episode.steps], dtype=np.float64)
        ahead = np.append(values[1:], 0.0)[: values.size]
        share = self.decay ** np.arange(values.size - 1, -1, -1, dtype=np.float64)
        return share * episode.reward + (1 - share) * (ahead - values)

    def keeps(self, rewards: Vector) -> bool:
        """Every group has signal: critics are the baseline."""
        return rewards.size > 0
