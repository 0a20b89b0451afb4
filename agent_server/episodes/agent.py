"""What acts in an episode: the protocols of agents, and of the policies behind our own agent.

A policy answers turns in the compact dialect: a served model, an oracle, or a test's script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from agent_server.episodes.trajectory import Completion
from envs.contract.actions import ActionResult
from envs.contract.observations import Observation, Observe, Screenshot
from envs.contract.task import Task
from envs.dialects.dialect import Parsed

LONGEST_S = 1200.0
"""Upper bound of `Agent.longest_s`."""


class Sampling(BaseModel):
    """How the policy samples. Logprobs are those of the distribution sampled from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    temperature: float = Field(1.0, ge=0, le=2, description="0 = greedy")
    top_p: float = Field(1.0, gt=0, le=1)
    max_tokens: int = Field(64, ge=1, le=65_536, description="per step")
    seed: int | None = Field(None, description="of the first step; each later one's is one more")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the prompt for a served model, the observation for an oracle."""

    task: Task
    observation: Observation
    prompt: str
    sampling: Sampling
    pictures: tuple[Screenshot, ...] = ()
    """that stand before the prompt's text, the present one last"""
    result: ActionResult | None = None
    """of the last answer, in the prompt's words for a served model; None before the first"""


class Policy(Protocol):
    """Answers turns."""

    async def act(self, turn: Turn) -> Completion:
        """Raises EpisodeFault(policy_timeout | policy_error)."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn of an agent.

    `sent`: the new part of what the agent was given, without pictures. `waited_s`: time that an
    endpoint made it wait before it accepted the request; it does not count for the task's time
    limit. `cost`: of this turn; None without prices."""

    sent: str
    completion: Completion
    parsed: Parsed
    waited_s: float = 0.0
    cost: float | None = None


class Agent(Protocol):
    """Acts in one episode; created with the episode's task."""

    longest_s: float
    """Longest time of one `act` beyond the task's own time limit."""

    def extend_observe(self, observe: Observe) -> Observe:
        """The observation request, extended by what this agent needs to see next."""
        ...

    def tell(self, text: str) -> None:
        """What the task's owner adds to the instruction; the next answer knows it."""
        ...

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """Answer an observation. `results`: of its last answer's actions, in order, up to the first
        that failed; empty before the first answer and after one that could not be parsed. Raises
        EpisodeFault."""
        ...


def outcome(parsed: Parsed, results: Sequence[ActionResult]) -> ActionResult:
    """The results of one answer as one: the parse error, the first failure, or the last value."""
    if parsed.error is not None:
        return parsed.error
    failed = next((result for result in results if not result.ok), None)
    if failed is not None:
        return failed
    valued = (result for result in reversed(results) if result.value is not None)
    return next(valued, results[-1] if results else ActionResult.success())
