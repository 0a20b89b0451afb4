"""The envelope that a policy was evaluated in, and a guard that stops it outside.

Train here, deploy there: what a policy is worth was measured on some tasks, prompts and states. The
envelope keeps how long prompts were and how surprised the policy was by its own answers there; the
guard ends an episode where either is beyond, before the answer is carried out.

Guarantees: an answer that the guard stopped is not carried out; the episode ends as `infeasible`
with the cause in words; such a step has no tokens, so that nothing learns from it. Surprisal is the
mean of -log p over an answer's tokens; one odd answer is no reason, `patience` in a row are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.trajectory import Completion, Step

QUANTILE = 0.99
"""Of the steps' surprisal: the largest alone would be an outlier's."""
LEAST_STEPS = 20


class EnvelopeError(ValueError):
    """A file that holds no envelope, or a run of which none can be made; one sentence."""


class Envelope(BaseModel):
    """What was seen in an evaluation. Written by `deskhand eval envelope`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    episodes: int = Field(ge=1, description="that it was measured on")
    success_rate: float = Field(ge=0, le=1, description="of these episodes")
    templates: tuple[str, ...] = Field(description="what they were of; not enforced")
    prompt_tokens: int = Field(ge=1, description="longest prompt; a longer one is outside")
    surprisal: float = Field(
        ge=0, description="nats a token, the 99th percentile of steps; more, several times in a row"
    )
    patience: int = Field(3, ge=1, description="surprising answers in a row that are outside")


@dataclass(slots=True)
class Watch:
    """Looks at the answers of one episode in turn."""

    envelope: Envelope
    surprising: int = 0

    def why_outside(self, completion: Completion) -> str | None:
        """Why this answer, after those before it, is outside; None where it is within."""
        envelope = self.envelope
        if len(completion.prompt_ids) > envelope.prompt_tokens:
            return (
                f"a prompt of {len(completion.prompt_ids)} tokens, evaluated up to "
                f"{envelope.prompt_tokens}"
            )
        is_surprising = get_surprisal(completion) > envelope.surprisal
        self.surprising = self.surprising + 1 if is_surprising else 0
        if self.surprising >= envelope.patience:
            return f"{self.surprising} answers in a row that it is unsure of"
        return None


class GuardedPolicy:
    """A policy for one episode; stops it outside the envelope."""

    def __init__(self, policy: Policy, envelope: Envelope) -> None:
        self._policy, self._watch = policy, Watch(envelope)

    async def act(self, turn: Turn) -> Completion:
        """See `Policy`."""
        completion = await self._policy.act(turn)
        reason = self._watch.why_outside(completion)
        if reason is None:
            return completion
        text = f"infeasible = outside of what this policy was evaluated in: {reason}"
        return Completion(text=text, latency_s=completion.latency_s)


def get_surprisal(completion: Completion) -> float:
    """Mean -log p of an answer's tokens, nats; 0 without logprobs."""
    logprobs = completion.logprobs
    return -sum(logprobs) / len(logprobs) if logprobs else 0.0


def find_exit(envelope: Envelope, steps: Iterable[Step]) -> str | None:
    """Why a recorded episode would have been stopped; None where it stays within."""
    watch = Watch(envelope)
    reasons = (watch.why_outside(step.completion) for step in steps)
    return next((reason for reason in reasons if reason is not None), None)


def measure_envelope(
    episodes: Sequence[tuple[str, bool, Sequence[Step]]], patience: int = 3
) -> Envelope:
    """Of (template, success, steps) of each episode. Raises EnvelopeError where the policy's tokens
    were not recorded, as those of an endpoint or an oracle."""
    completions = [
        step.completion for _, _, steps in episodes for step in steps if step.completion.logprobs
    ]
    if len(completions) < LEAST_STEPS:
        raise EnvelopeError(
            f"{len(completions)} answers have logprobs, at least {LEAST_STEPS} are needed: "
            "evaluate a policy that Deskhand serves, on more tasks"
        )
    surprisals = sorted(map(get_surprisal, completions))
    return Envelope(
        episodes=len(episodes),
        success_rate=sum(success for _, success, _ in episodes) / len(episodes),
        templates=tuple(sorted({template for template, _, _ in episodes})),
        prompt_tokens=max(len(completion.prompt_ids) for completion in completions),
        surprisal=surprisals[min(int(QUANTILE * len(surprisals)), len(surprisals) - 1)],
        patience=patience,
    )


def read_envelope(file: Path) -> Envelope:
    """Raises EnvelopeError."""
    try:
        return Envelope.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error.errors()[0]["msg"]
        raise EnvelopeError(f"{file} is no envelope: {reason}") from error
