"""Episodes as a learner step needs them: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from agent_server.episodes.trajectory import Step
from envs.contract.task import Task


@dataclass(frozen=True, slots=True)
class Play:
    """One episode with its steps; `replayed` is a success of an earlier batch."""

    steps: tuple[Step, ...]
    score: float
    success: bool
    replayed: bool = False
    agreements: tuple[float, ...] = ()
    """with a demonstration or a right answer, one a step; empty for an episode that was played"""
    lead: int = 0
    """steps that an oracle took before these"""


@dataclass(frozen=True, slots=True)
class PlayGroup:
    """Episodes of one task; `is_whole` where all that were submitted were judged."""

    task: Task
    plays: tuple[Play, ...]
    is_whole: bool = True

    @property
    def is_failed(self) -> bool:
        """True where it is known that every episode failed."""
        return self.is_whole and bool(self.plays) and not any(play.success for play in self.plays)


@dataclass(frozen=True, slots=True)
class Extras:
    """What an algorithm asked for of one step."""

    policy_logprob: float = 0.0
    reference_logprob: float = 0.0
    value: float = 0.0
    task_value: float = 0.0
