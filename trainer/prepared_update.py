"""The samples of one supervised optimiser step, counted and packed before the learner sees them: by
another process, while the learner computes.

Guarantees: the step is the one that `Learner.step` would take on the same samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.learner_config import LearnerConfig
from trainer.losses import StreamCounts
from trainer.packing import MicroBatch, pack
from trainer.samples import Sample


@dataclass(frozen=True, slots=True)
class PreparedUpdate:
    """Micro-batches, and the counts of their streams. `tokens`: prompt and completion tokens, a
    shared prompt counted for each sample."""

    batches: tuple[MicroBatch, ...]
    counts: StreamCounts
    samples: int
    tokens: int


def prepare_update(samples: Sequence[Sample], config: LearnerConfig) -> PreparedUpdate:
    """Raises ValueError for samples that no supervised step could learn from."""
    active = [sample for sample in samples if sample.moves_weights]
    if not active or any(sample.rl for sample in active):
        raise ValueError("a prepared update holds imitated samples, and at least one")
    batches = pack(active, config.micro_tokens, config.lanes, config.share_prompts)
    tokens = sum(sample.tokens for sample in active)
    return PreparedUpdate(tuple(batches), StreamCounts.of(active), len(active), tokens)
