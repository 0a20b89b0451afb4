"""Step-level GRPO: all steps of all episodes of a task are one group.

Source: ComputerRL, arXiv:2508.14040, section on step-level GRPO:
    A_ij = (r_ij - mean(R)) / std(R),   R = {r_uv of every episode u and step v of the task}.
"""

from __future__ import annotations

from trainer.algorithms.protocol import GroupAlgorithm, GroupView
from trainer.algorithms.scores import Vector, joined_scores


class StepGrpo(GroupAlgorithm):
    """The paper's. Long episodes weigh more in R, as there; every step of a failure gets the same
    blame."""

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """Standard scores of the step rewards within the group."""
        return joined_scores(group.step_rewards)
