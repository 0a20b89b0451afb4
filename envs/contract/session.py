"""The Session protocol: one leased live environment, local or behind a host.

A session raises `EpisodeFault` for infrastructure faults, `HumanTakeover` while a person has taken
over, and nothing else on purpose; what the agent did wrong comes back inside `StepReply.results`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from envs.contract.actions import Action, ActionResult
from envs.contract.observations import Observation, Observe
from envs.contract.task import Task


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Verdict(_Model):
    """`score` in 0..1; success is score >= 1. `milestones` maps each name to reached or not."""

    score: float = Field(ge=0, le=1)
    milestones: dict[str, bool] = Field(default_factory=dict)
    details: dict[str, Any] = Field(default_factory=dict)

    @property
    def success(self) -> bool:
        """Whether the score is full."""
        return self.score >= 1.0

    def with_details(self, **details: Any) -> Verdict:
        """The same verdict with further details."""
        return Verdict(
            score=self.score, milestones=self.milestones, details={**self.details, **details}
        )


TAKEOVER_REPLY = b'{"held":true}'
"""A host's answer to a step that waits for a person."""


class HumanTakeover(Exception):
    """A person holds the environment; the step has not begun and may be asked for again."""


class CannotSnapshot(Exception):
    """This state cannot be taken or put back exactly; the message says why. Nothing changed."""


class SnapshotTaken(_Model):
    """A state in the middle of an episode, kept by the host. `state_hash`: of the app's state."""

    id: str
    state_hash: str


class ResetReply(_Model):
    """The first observation of a task, and how the reset was done. `notes`: setup steps that failed
    and may, one sentence each."""

    observation: Observation
    state_hash: str
    reset_level: str = Field(description="how much was made anew: warm, context, browser ...")
    notes: tuple[str, ...] = ()
    timings_ms: dict[str, float] = Field(default_factory=dict)


class StepReply(_Model):
    """`results`: one for each action, up to and with the first that failed. `person`: what a person
    did in the agent's place just before the step. `exceeded`: which limit of the box the agent's
    programs have passed, if they have; they were ended, and the episode ends. `refused_hosts`: of
    the internet, that pages asked for and the task does not allow."""

    results: tuple[ActionResult, ...]
    observation: Observation
    person: tuple[Action, ...] = ()
    exceeded: str | None = None
    refused_hosts: tuple[str, ...] = ()
    timings_ms: dict[str, float] = Field(default_factory=dict)


Keep = Callable[[bytes], None]
"""Keeps evidence, as `envs.state.bundle` and `envs.state.gym_evidence` pack it."""


class Judged(_Model):
    """A host's verdict; `evidence` where it was asked to keep it."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    verdict: Verdict
    evidence: bytes | None = None


class LeasedSession(Protocol):
    """What a host lends. A desktop has nothing that could judge."""

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Puts the environment into the initial state of the task. Raises EpisodeFault."""

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions in order and observes. Raises EpisodeFault."""

    async def close(self) -> None:
        """Gives the environment back."""


class Session(LeasedSession, Protocol):
    """One environment on loan to one episode: reset, step, evaluate, close."""

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """`keep` gets what the verdict is made from, where that can be kept."""
        ...
