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


class Usage(_Model):
    """Tokens of one answer, as an endpoint counts them."""

    prompt: int = Field(ge=0)
    completion: int = Field(ge=0)


class Completion(_Model):
    """One policy answer. An oracle's answer has text only: ids and logprobs are empty. Of an
    endpoint of others, `text` is what it said, as text or JSON, and `usage` what it counted."""

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
    usage: Usage | None = None

    @property
    def tokens(self) -> Usage | None:
        """None where nobody counted."""
        if self.usage is not None or not (self.prompt_ids or self.token_ids):
            return self.usage
        return Usage(prompt=len(self.prompt_ids), completion=len(self.token_ids))


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
