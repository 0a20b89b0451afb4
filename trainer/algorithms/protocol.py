"""What an algorithm sees, and what it may decide.

An algorithm is a frozen model: its fields are its settings (`reinforce.options`), its methods are
pure functions. It must give the advantages of a batch; everything else has a default, which is a
clipped policy gradient on groups as they were collected. The learner knows no algorithm: it gets
tokens with weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypedDict

import numpy as np
from pydantic import BaseModel, ConfigDict

from trainer.algorithms.scores import Vector, has_signal

Need = Literal["logprobs", "values"]
"""What costs a forward of its own: `logprobs` are the steps' by the policy and by the reference,
`values` a critic's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step of an episode. What an algorithm did not ask for by its `needs` is 0."""

    reward: float = 0.0
    """1 for a well-formed step of a success, see `trainer.algorithms.rewards`"""
    state: Hashable = None
    """equal for steps with equal prompts: the prompt is all that the policy sees"""
    page: Hashable = None
    """equal for steps before equal pages, whatever happened before"""
    answer: Hashable = None
    """equal for steps with the same tokens as answer"""
    tokens: int = 1
    refused: bool = False
    """its answer could not be read, so that it is not to be imitated"""
    agreement: float = 0.0
    """of the answer with a demonstration: 1 the same action, 0.5 one of its type, 0.1 any action, 0
    none that can be read"""
    surprisal: float = 0.0
    """mean -log p of the sampled tokens, nats: an unbiased estimate of the step's entropy from
    one answer"""
    policy_logprob: float = 0.0
    """log probability of the whole answer by the weights that are trained"""
    reference_logprob: float = 0.0
    """the same by the weights at the phase's start"""
    value: float = 0.0
    """the critic's probability that an episode which stands here succeeds"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeView:
    """One episode. `reward` is 1 for a success; milestones of others may count in part."""

    reward: float
    success: bool
    steps: tuple[StepView, ...]
    task_value: float = 0.0
    """the critic's probability of a success, from the task's first prompt alone"""
    replayed: bool = False
    """a success of an earlier batch that the algorithm asked for"""

    @property
    def tokens(self) -> int:
        """Sampled tokens of all steps."""
        return sum(step.tokens for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """Episodes of one task; `template` names the tasks that are of the same kind."""

    template: str
    episodes: tuple[EpisodeView, ...]
    max_steps: int = 0
    """the task's limit; 0: unknown"""

    @property
    def rewards(self) -> Vector:
        """One an episode."""
        return np.array([episode.reward for episode in self.episodes], dtype=np.float64)

    @property
    def step_rewards(self) -> list[Vector]:
        """One a step, by episode."""
        return [
            np.array([step.reward for step in episode.steps], dtype=np.float64)
            for episode in self.episodes
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchView:
    """The groups of one learner step. `progress` is the share of the phase's iterations that is
    done, 0 at its first."""

    groups: tuple[GroupView, ...]
    progress: float = 0.0


class LossTerms(TypedDict, total=False):
    """What an algorithm fixes of the loss, by keys of `learner.loss`; the rest is the user's."""

    eps_low: float
    eps_high: float
    dual_clip: float | None
    tis_cap: float | None
    ratio: Literal["token", "sequence"]
    aggregation: Literal["token", "step", "episode", "task"]
    covariance: Literal["none", "clip", "hold"]
    covariance_share: float
    covariance_high: float


class Algorithm(BaseModel, ABC):
    """Advantages, and what else an algorithm decides."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    source: ClassVar[Literal["environment", "demonstrations"]] = "environment"
    """episodes, or answers to the prompts of demonstrations"""

    @abstractmethod
    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """One number a step, by group and episode. A step of advantage 0 is left out."""

    def loss_terms(self) -> LossTerms:
        """Parts of the loss that belong to the algorithm."""
        return {}

    def rollouts(self, rate: float | None, size: int) -> int:
        """Episodes of a task whose template has this success rate, None if it is unknown; `size`
        is what the configuration says."""
        del rate
        return size

    def step_limit(self, longest_success: int | None, limit: int) -> int:
        """Most steps of an episode, from the longest success of its template and the task's own
        limit."""
        del longest_success
        return limit

    def replays(self, rewards: Vector) -> int:
        """Successes of earlier batches that are added to a group with these rewards."""
        del rewards
        return 0

    def most_refills(self) -> int:
        """How often groups without signal are replaced by new ones before a learner step."""
        return 0

    def keeps(self, rewards: Vector) -> bool:
        """Whether a group with these rewards has signal, so that it need not be replaced."""
        return has_signal(rewards)


class GroupAlgorithm(Algorithm):
    """An algorithm that compares episodes within their group only."""

    @abstractmethod
    def group_advantages(self, group: GroupView) -> list[Vector]:
        """One number a step, by episode."""

    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """See `Algorithm.advantages`."""
        return [self.group_advantages(group) for group in batch.groups]


class EpisodeAlgorithm(GroupAlgorithm):
    """An algorithm whose advantage is one number an episode, the same for each of its steps."""

    @abstractmethod
    def episode_advantages(self, group: GroupView) -> Vector:
        """One number an episode."""

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """See `GroupAlgorithm.group_advantages`."""
        return spread(group, self.episode_advantages(group))


def spread(group: GroupView, values: Vector) -> list[Vector]:
    """One number an episode, given to each of its steps."""
    return [
        np.full(len(episode.steps), value)
        for episode, value in zip(group.episodes, values, strict=True)
    ]
