"""Policy: whatever answers a turn. The served model, an oracle, or a scripted one in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from agent_server.episodes.trajectory import Completion
from envs.observations import Observation
from envs.tasks import Task


class Sampling(BaseModel):
    """How the policy samples. Logprobs are those of the distribution sampled from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    temperature: float = Field(1.0, ge=0, le=2, description="0 = greedy")
    top_p: float = Field(1.0, gt=0, le=1)
    max_tokens: int = Field(64, ge=1, le=65_536, description="per step")
    seed: int | None = Field(None, description="of the first step; each later one's is one more")


@dataclass(frozen=True, slots=True)
class Turn:
    """What a policy is asked: the prompt for a served model, the observation for an oracle."""

    task: Task
    observation: Observation
    prompt: str
    sampling: Sampling


class Policy(Protocol):
    async def act(self, turn: Turn) -> Completion:
        """Raises EpisodeFault(policy_timeout | policy_error)."""
        ...
