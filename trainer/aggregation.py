"""Means of the reinforced tokens over steps, episodes or tasks, written as weights on tokens.

The learner divides by the number of reinforced tokens of the whole batch, N: every token weighs the
same, so a long answer, episode or task weighs more. For a mean over M units (steps, episodes or
tasks) of the mean over the n tokens of each, a token gets the weight N / (M n). N, M and n are
counted over the whole batch, and only tokens count that can move the weights.

- token: no bias towards short answers (DAPO, arXiv:2503.14476; Dr. GRPO, arXiv:2503.20783)
- step: seq-mean-token-mean of GRPO and GSPO (arXiv:2402.03300, 2507.18071), an answer is a step
- episode: no bias towards long episodes
- task: no bias towards tasks of many or long episodes
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Hashable, Sequence

from trainer.loss_config import Unit
from trainer.samples import Sample, token_values


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Which episode of which group a sample is a step of."""

    group: int
    episode: int
    step: int

    def unit(self, unit: Unit) -> Hashable:
        """What the sample's tokens are averaged with."""
        match unit:
            case "step":
                return self
            case "episode":
                return (self.group, self.episode)
            case "task":
                return self.group
            case "token":
                return None


def aggregate(samples: Sequence[Sample], places: Sequence[Place], unit: Unit) -> list[Sample]:
    """The samples with their `rl` weights scaled to the mean over units; as they are for tokens."""
    if unit == "token":
        return list(samples)
    units = [place.unit(unit) for place in places]
    lengths: Counter[Hashable] = Counter()
    for sample, key in zip(samples, units, strict=True):
        lengths[key] += sample.reinforced_tokens
    total = sum(lengths.values())
    count = sum(length > 0 for length in lengths.values())
    return [
        _scale(sample, total / (count * lengths[key])) if sample.reinforced_tokens else sample
        for sample, key in zip(samples, units, strict=True)
    ]


def _scale(sample: Sample, factor: float) -> Sample:
    if isinstance(sample.rl, float):
        return dataclasses.replace(sample, rl=sample.rl * factor)
    weights = token_values(sample.rl, len(sample.completion_ids))
    return dataclasses.replace(sample, rl=tuple(weight * factor for weight in weights))
