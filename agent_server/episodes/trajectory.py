"""The record of one episode: what the policy saw, said and did, step by step.

Written by the recorder as JSON lines while the episode runs, read by the trainer, the API and the
report. Token ids and logprobs are the engine's own: nothing is ever tokenised again.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from envs.actions import Action, ActionResult


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Completion(_Model):
    """One policy answer. An oracle's answer has text only: ids and logprobs are empty."""

    text: str
    prompt_ids: tuple[int, ...] = ()
    token_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = Field(
        (), description="sampling logprob of each token in token_ids"
    )
    version_min: int = Field(0, description="oldest policy version that produced a token")
    version_max: int = 0
    finish_reason: str = "stop"
    latency_s: float = 0.0


class Step(_Model):
    """Step `index` (from 0): prompt -> completion -> action -> result -> next observation."""

    index: int
    prompt: str = Field(description="user message the policy answered")
    completion: Completion
    thought: str = ""
    action: Action | None = Field(None, description="None when the answer could not be parsed")
    result: ActionResult
    person: tuple[Action, ...] = Field(
        (), description="what a person did in the agent's place, before the action"
    )
    url: str = ""
    tree: str = Field("", description="tree text of the observation the policy answered")
    screenshot: str | None = Field(
        None, description="file name beside steps.jsonl, before the action"
    )
    timings_ms: dict[str, float] = Field(default_factory=dict)


class Trajectory(_Model):
    """All of one episode, as read back from its artifacts."""

    episode_id: str
    steps: tuple[Step, ...]
    summary: dict[str, Any] = Field(default_factory=dict)
