"""One step as the learner sees it: tokens, and how much each of them weighs in each stream.

The learner does not know algorithms. Reinforcement, imitation, Entropulse and replay differ only in
the numbers written here: `rl` (with an advantage), `ce`, `ref_kl` on completion tokens, and
`prompt_ce` on prompt tokens. Ids are those the engine returned; nothing is tokenised here. Samples
hold Python tuples of any length; `trainer.packing` makes tensors of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.episodes.trajectory import Step

Weights = float | tuple[float, ...]
"""One number for every completion token, or one number each."""


@dataclass(frozen=True, slots=True)
class Sample:
    """`logprobs` are the behaviour policy's, empty for text that no policy sampled.

    Raises ValueError where lengths do not fit together."""

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    advantage: Weights = 0.0
    rl: Weights = 0.0
    ce: Weights = 0.0
    ref_kl: Weights = 0.0
    prompt_ce: float = 0.0
    staleness: int = 0
    """versions between the weights that sampled and the learner's: 0 compares two engines, more
    compares two policies"""

    def __post_init__(self) -> None:
        if not self.prompt_ids or not self.completion_ids:
            raise ValueError("a sample needs at least one prompt token and one completion token")
        length = len(self.completion_ids)
        for name in ("logprobs", "advantage", "rl", "ce", "ref_kl"):
            value = getattr(self, name)
            if isinstance(value, tuple) and len(value) != length and (value or name != "logprobs"):
                raise ValueError(
                    f"{name} has {len(value)} values for {length} completion tokens of the sample"
                )

    @property
    def input_tokens(self) -> int:
        """Tokens a model must read; the last one is only ever a target."""
        return len(self.prompt_ids) + len(self.completion_ids) - 1

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return len(self.prompt_ids) + len(self.completion_ids)

    @property
    def moves_weights(self) -> bool:
        """False if no stream can give a gradient: such a sample is counted but never computed."""
        policy_gradient = _has_weight(self.rl) and _has_weight(self.advantage)
        return (
            policy_gradient
            or _has_weight(self.ce)
            or _has_weight(self.ref_kl)
            or self.prompt_ce != 0.0
        )


def _has_weight(weights: Weights) -> bool:
    return any(weights) if isinstance(weights, tuple) else weights != 0.0


def rl_sample(
    step: Step,
    advantage: Weights,
    weight: Weights = 1.0,
    ref_kl: float = 0.0,
    staleness: int = 0,
) -> Sample:
    """A sampled step, reinforced: one advantage for the whole step, or one a token.

    Raises ValueError where the sampler's logprobs are missing."""
    completion = step.completion
    if len(completion.logprobs) != len(completion.token_ids):
        raise ValueError(
            f"step {step.index} has {len(completion.token_ids)} tokens but "
            f"{len(completion.logprobs)} logprobs; reinforcement needs the sampler's logprobs"
        )
    return Sample(
        prompt_ids=completion.prompt_ids,
        completion_ids=completion.token_ids,
        logprobs=completion.logprobs,
        advantage=advantage,
        rl=weight,
        ref_kl=ref_kl,
        staleness=staleness,
    )


def ce_sample(step: Step, weight: Weights = 1.0, prompt_ce: float = 0.0) -> Sample:
    """A sampled step, imitated as it is: Entropulse, and replay of successes."""
    completion = step.completion
    return Sample(
        prompt_ids=completion.prompt_ids,
        completion_ids=completion.token_ids,
        logprobs=completion.logprobs,
        ce=weight,
        prompt_ce=prompt_ce,
    )


def text_sample(
    prompt_ids: Sequence[int],
    completion_ids: Sequence[int],
    weight: Weights = 1.0,
    prompt_ce: float = 0.0,
) -> Sample:
    """An oracle's step: text that the caller has tokenised, with no behaviour logprobs."""
    return Sample(tuple(prompt_ids), tuple(completion_ids), ce=weight, prompt_ce=prompt_ce)
