"""The Session protocol: one leased live environment, local or behind a host.

A session raises `EpisodeFault` for infrastructure faults, `Held` while a person has taken over, and
nothing else on purpose; what the agent did wrong comes back inside `StepReply.results`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from envs.actions import Action, ActionResult
from envs.observations import Observation, Observe
from envs.tasks import Task


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Verdict(_Model):
    """`score` in 0..1; success is score >= 1. `milestones` maps each name to reached or not."""

    score: float = Field(ge=0, le=1)
    milestones: dict[str, bool] = Field(default_factory=dict)
    details: dict[str, Any] = Field(default_factory=dict)

    @property
    def success(self) -> bool:
        return self.score >= 1.0


HELD = b'{"held":true}'
"""A host's answer to a step that waits for a person."""


class Held(Exception):
    """A person holds the environment; the step has not begun and may be asked for again."""


class ResetReply(_Model):
    observation: Observation
    state_hash: str
    rung: str = Field(description="rung of the reset ladder that was taken")
    timings_ms: dict[str, float] = Field(default_factory=dict)


class StepReply(_Model):
    """`results`: one for each action, up to and with the first that failed. `person`: what a person
    did in the agent's place just before the step."""

    results: tuple[ActionResult, ...]
    observation: Observation
    person: tuple[Action, ...] = ()
    timings_ms: dict[str, float] = Field(default_factory=dict)


Keep = Callable[[bytes], None]
"""Keeps evidence, as `envs.verify.bundle` and `envs.gyms.evidence` pack it."""


class Judged(_Model):
    """A host's verdict; `evidence` where it was asked to keep it."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    verdict: Verdict
    evidence: bytes | None = None


class Lent(Protocol):
    """What a host lends. A desktop has nothing that could judge."""

    async def reset(self, task: Task, observe: Observe) -> ResetReply: ...

    async def step(self, actions: list[Action], observe: Observe) -> StepReply: ...

    async def close(self) -> None: ...


class Session(Lent, Protocol):
    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """`keep` gets what the verdict is made from, where that can be kept."""
        ...
