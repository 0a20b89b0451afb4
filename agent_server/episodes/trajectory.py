"""The record of one episode: observations, answers and actions, step by step, and how it ended.

Written by the recorder as JSON lines while the episode runs; read by the trainer, the API and the
report. Token ids and logprobs are the engine's own: nothing is ever tokenised again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from envs.contract.actions import Action, ActionResult, describe_fields
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Usage(_Model):
    """Tokens of one answer, as an endpoint counts them."""

    prompt: int = Field(ge=0)
    completion: int = Field(ge=0)


class SeenPicture(_Model):
    """A picture that a prompt showed. Its file lies beside the steps, once for all steps that
    showed it."""

    name: str = Field(description="of its file: the SHA-256 of its bytes, and the format")
    width: int = Field(ge=1, description="as the model read it, pixels; coordinates are of these")
    height: int = Field(ge=1)
    offset: int = Field(0, ge=0, description="of its first token in prompt_ids")
    tokens: int = Field(0, ge=0, description="that stand for it")
    data: bytes = Field(b"", exclude=True, repr=False, description="the file; not in the record")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


class Completion(_Model):
    """One answer of a policy.

    An oracle's answer has text only: ids and logprobs are empty. For an external endpoint, `text`
    is its answer as text or JSON, and `usage` its own token count."""

    text: str
    prompt_ids: tuple[int, ...] = ()
    token_ids: tuple[int, ...] = ()
    pictures: tuple[SeenPicture, ...] = Field((), description="that the prompt showed, in order")
    logprobs: tuple[float, ...] = Field(
        (), description="sampling logprob of each token in token_ids"
    )
    version_min: int = Field(0, description="oldest policy version that produced a token")
    version_max: int = 0
    finish_reason: str = "stop"
    latency_s: float = 0.0
    usage: Usage | None = None
    plan: Planned | None = Field(
        None, description="what a planner said before, where two policies answer a step together"
    )

    @property
    def tokens(self) -> Usage | None:
        """Tokens of prompt and answer, a plan's with them; None where they were not counted."""
        counts = [self._own_tokens, self.plan and self.plan.completion.tokens]
        counted = [count for count in counts if count is not None]
        if not counted:
            return None
        return Usage(
            prompt=sum(count.prompt for count in counted),
            completion=sum(count.completion for count in counted),
        )

    @property
    def _own_tokens(self) -> Usage | None:
        if self.usage is not None or not (self.prompt_ids or self.token_ids):
            return self.usage
        return Usage(prompt=len(self.prompt_ids), completion=len(self.token_ids))

    @property
    def versions(self) -> set[int]:
        """Oldest and newest policy version of the tokens in it, a plan's among them."""
        own = {self.version_min, self.version_max} if self.token_ids else set()
        return own if self.plan is None else own | self.plan.completion.versions

    @property
    def all_pictures(self) -> tuple[SeenPicture, ...]:
        """Those that its prompts showed, a plan's among them."""
        return self.pictures + (() if self.plan is None else self.plan.completion.pictures)


class Planned(_Model):
    """A planner's part of an answer."""

    prompt: str
    completion: Completion


class Step(_Model):
    """Step `index` (from 0): prompt -> completion -> action -> result -> next observation."""

    index: int
    prompt: str = Field(description="what the policy was told that was new, without pictures")
    completion: Completion
    thought: str = ""
    action: Action | None = Field(None, description="None when the answer could not be parsed")
    result: ActionResult
    person: tuple[Action, ...] = Field(
        (), description="what a person did in the agent's place, before the action"
    )
    follow_ups: tuple[str, ...] = Field(
        (), description="what the task's owner told the agent before it answered"
    )
    refused_hosts: tuple[str, ...] = Field(
        (), description="hosts of the internet that pages asked for and the task does not allow"
    )
    url: str = ""
    tree: str = Field("", description="tree text of the observation the policy answered")
    screenshot: str | None = Field(
        None, description="file name beside steps.jsonl, before the action"
    )
    timings_ms: dict[str, float] = Field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """The action's result in words: "ok", or the error and its message."""
        return "ok" if self.result.ok else f"{self.result.error}: {self.result.message}"

    @property
    def person_lines(self) -> list[str]:
        """Actions of a person who took over before this step, one line each."""
        return [f"person: {describe_fields(action)}" for action in self.person]


class Trajectory(_Model):
    """All of one episode, as read back from its artifacts."""

    episode_id: str
    steps: tuple[Step, ...]
    summary: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """A terminal status with details; it has a verdict if, and only if, the status has a score."""

    status: Status
    reason: EndReason | InvalidReason | None = None
    detail: str | None = None
    verdict: Verdict | None = None
    answer: str | None = None
    steps: int = 0
    version_min: int | None = None
    version_max: int | None = None
    timings: dict[str, float] = field(default_factory=dict)
    tokens: int | None = None
    """Of all prompts and answers; None where the agent counts none."""
    cost: float | None = None
    """At the prices of the agent's file; None where it has none."""

    def __post_init__(self) -> None:
        if not self.status.terminal:
            raise ValueError(f"{self.status} is not a terminal status")
        if self.status.has_score != (self.verdict is not None):
            raise ValueError(f"{self.status} and verdict {self.verdict} do not go together")
        if (self.status is Status.INVALID) != isinstance(self.reason, InvalidReason):
            raise ValueError(f"{self.status} and reason {self.reason} do not go together")

    @property
    def score(self) -> float | None:
        """Score of the verdict; None without one."""
        return None if self.verdict is None else self.verdict.score

    @property
    def success(self) -> bool | None:
        """Success of the verdict; None without one."""
        return None if self.verdict is None else self.verdict.success

    @classmethod
    def invalid(cls, fault: EpisodeFault) -> EpisodeResult:
        """The result of an attempt that infrastructure ended."""
        return cls(Status.INVALID, fault.reason, fault.detail[:2000])
