"""One step as the learner sees it: tokens, and how much each of them weighs in each stream.

The learner does not know algorithms. Reinforcement, imitation, Entropulse and replay differ only in
the numbers written here: `rl` (with an advantage), `ce`, `ref_kl` on completion tokens, and
`prompt_ce` on prompt tokens; `proximal_kl`, a part of `rl`, holds tokens where they were before the
step. Ids are those the engine returned; nothing is tokenised here. Samples
hold Python tuples of any length; `trainer.packing` makes tensors of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_server.episodes.trajectory import Step
from envs.contract.actions import ActionError

Weights = float | tuple[float, ...]
"""One number for every completion token, or one number each."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file's bytes, PNG or JPEG. Equal bytes are the same picture."""

    data: bytes


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
    proximal_kl: Weights = 0.0
    staleness: int = 0
    """versions between the weights that sampled and the learner's: 0 compares two engines, more
    compares two policies"""
    pictures: tuple[Picture, ...] = ()
    """those that the prompt shows, in order; `prompt_ids` has a token for each merged patch"""

    def __post_init__(self) -> None:
        if not self.prompt_ids or not self.completion_ids:
            raise ValueError("a sample needs at least one prompt token and one completion token")
        length = len(self.completion_ids)
        for name in ("logprobs", "advantage", "rl", "ce", "ref_kl", "proximal_kl"):
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
    def reinforced_tokens(self) -> int:
        """Completion tokens with a weight in `rl` and an advantage: the others cannot move it."""
        if isinstance(self.rl, tuple) or isinstance(self.advantage, tuple):
            length = len(self.completion_ids)
            pairs = zip(
                token_values(self.rl, length), token_values(self.advantage, length), strict=True
            )
            return sum(weight != 0.0 and advantage != 0.0 for weight, advantage in pairs)
        return len(self.completion_ids) if self.rl != 0.0 and self.advantage != 0.0 else 0

    def weighted_tokens(self, weights: Weights) -> int:
        """Completion tokens whose weight in one of this sample's streams is not 0."""
        if isinstance(weights, tuple):
            return sum(weight != 0.0 for weight in weights)
        return len(self.completion_ids) if weights != 0.0 else 0

    @property
    def moves_weights(self) -> bool:
        """False if no stream can give a gradient: such a sample is counted but never computed."""
        return bool(
            self.reinforced_tokens
            or self.weighted_tokens(self.ce)
            or self.weighted_tokens(self.ref_kl)
            or self.prompt_ce != 0.0
        )


def token_values(weights: Weights, length: int) -> tuple[float, ...]:
    """One number for every completion token."""
    return weights if isinstance(weights, tuple) else (weights,) * length


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
        pictures=shown_pictures(step),
    )


def ce_sample(step: Step, weight: Weights = 1.0, prompt_ce: float = 0.0) -> Sample:
    """A sampled step, imitated as it is."""
    completion = step.completion
    return Sample(
        prompt_ids=completion.prompt_ids,
        completion_ids=completion.token_ids,
        logprobs=completion.logprobs,
        ce=weight,
        prompt_ce=prompt_ce,
        pictures=shown_pictures(step),
    )


def is_refused(step: Step) -> bool:
    """Whether the answer could not be read. It is not imitated, whatever its episode achieved; the
    prompt after it shows it in the history, as it was."""
    return step.result.error is ActionError.MALFORMED


def imitation_samples(steps: Iterable[Step]) -> list[Sample]:
    """Sampled steps of a success, imitated as they are, without those that were refused."""
    return [ce_sample(step) for step in steps if step.completion.token_ids and not is_refused(step)]


def shown_pictures(step: Step) -> tuple[Picture, ...]:
    """Those that the step's prompt showed. Raises ValueError where they were not read with the
    step (`Artifacts.read_seen`)."""
    pictures = step.completion.pictures
    if not all(picture.data for picture in pictures):
        raise ValueError(f"the pictures of step {step.index} were not read with it")
    return tuple(Picture(picture.data) for picture in pictures)


def weigh_imitation(parts: Sequence[tuple[float, Sequence[Sample]]]) -> list[list[Sample]]:
    """The same parts with the `ce` weights that make the stream sum(weight x mean loss of a part).

    The learner divides a stream by all of its tokens, so parts that share one would dilute each
    other, and a part of few tokens would weigh as much as one of many. Of N tokens in all, each of
    the n tokens of a part of weight w gets w N / n."""
    lengths = [
        sum(len(sample.completion_ids) for sample in part) if weight else 0
        for weight, part in parts
    ]
    total = sum(lengths)
    return [
        [
            dataclasses.replace(sample, ce=weight * total / length if length else 0.0)
            for sample in part
        ]
        for (weight, part), length in zip(parts, lengths, strict=True)
    ]


def text_sample(
    prompt_ids: Sequence[int],
    completion_ids: Sequence[int],
    weight: Weights = 1.0,
    prompt_ce: float = 0.0,
    pictures: tuple[Picture, ...] = (),
) -> Sample:
    """An oracle's step: text that the caller has tokenised, with no behaviour logprobs."""
    return Sample(
        tuple(prompt_ids),
        tuple(completion_ids),
        ce=weight,
        prompt_ce=prompt_ce,
        pictures=pictures,
    )
