"""Samples: what the learner is fed. One step of an episode is one sample.

A sample is exact token ids and, for each of them, the weight it has in each loss stream. The
learner knows nothing of imitation, reinforcement or Entropulse: those are ways to fill the streams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """`advantage` weighs the rl stream and `ce` the cross-entropy stream of completion tokens;
    `prompt_ce` the cross-entropy of prompt tokens. `logprobs` are the behaviour policy's, one a
    completion token, and are needed where `advantage` is not zero."""

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    advantage: float = 0.0
    ce: float = 0.0
    prompt_ce: float = 0.0

    def __post_init__(self) -> None:
        if not self.prompt_ids or not self.completion_ids:
            raise ValueError("a sample needs a prompt and a completion")
        if self.logprobs and len(self.logprobs) != len(self.completion_ids):
            raise ValueError("logprobs and completion_ids differ in length")
        if self.advantage and not self.logprobs:
            raise ValueError("an rl sample needs the behaviour policy's logprobs")

    @property
    def length(self) -> int:
        return len(self.prompt_ids) + len(self.completion_ids)


def supervised(
    prompt_ids: Sequence[int],
    completion_ids: Sequence[int],
    ce: float = 1.0,
    prompt_ce: float = 0.0,
) -> Sample:
    """For imitation, Entropulse and replay."""
    return Sample(tuple(prompt_ids), tuple(completion_ids), ce=ce, prompt_ce=prompt_ce)
