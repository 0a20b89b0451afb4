"""Task advantage normalisation (AgentRL, arXiv:2510.04206):
    A~ = (A - mean_k(A)) / std_k(A) over all tokens of the batch that belong to tasks of kind k.

A is GRPO's over the steps of a group. Kinds of tasks differ in the size and number of their
advantages; after this each kind pulls as hard as the others. AgentRL's kinds are environments; here
they are gyms or templates. Groups without signal stay out of mean and deviation and keep 0.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import Algorithm, BatchView, GroupView
from trainer.algorithms.scores import SPREAD_FLOOR, Vector, joined_scores


class TaskNorm(Algorithm):
    """Step-level GRPO, made equally large for each kind of task."""

    by: Literal["gym", "template"] = Field("gym", description="what makes tasks one kind")

    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """Group advantages, normalised over the tokens of their kind."""
        plain = [joined_scores(group.step_rewards) for group in batch.groups]
        kinds = [self._kind(group) for group in batch.groups]
        result = list(plain)
        for kind in set(kinds):
            chosen = [
                place
                for place, group in enumerate(plain)
                if kinds[place] == kind and any(map(np.any, group))
            ]
            if not chosen:
                continue
            values = np.concatenate([part for place in chosen for part in plain[place]])
            tokens = np.concatenate([token_counts(batch.groups[place]) for place in chosen])
            mean = np.average(values, weights=tokens)
            deviation = np.sqrt(np.average((values - mean) ** 2, weights=tokens))
            if deviation >= SPREAD_FLOOR:
                for place in chosen:
                    result[place] = [(part - mean) / deviation for part in plain[place]]
        return result

    def _kind(self, group: GroupView) -> str:
        return group.template if self.by == "template" else group.template.partition("/")[0]


def token_counts(group: GroupView) -> Vector:
    """Sampled tokens of each step of a group, episode after episode."""
    return np.array([step.tokens for episode in group.episodes for step in episode.steps], float)
