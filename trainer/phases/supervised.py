"""Supervised updates over a set of samples, shared by imitate and pulse."""

from __future__ import annotations

import time
from collections.abc import Sequence

from trainer.context import Context, PhaseRecord
from trainer.samples import Sample

LOG_EVERY = 10


async def supervise(
    context: Context,
    record: PhaseRecord,
    samples: Sequence[Sample],
    *,
    lr: float,
    warmup: int,
    updates: int,
    batch: int,
    max_minutes: float,
) -> None:
    """Epochs in random order until `updates` or `max_minutes`; the rate warms up linearly and falls
    linearly to a tenth over the last third of whichever bound comes first."""
    if not samples:
        return
    deadline = time.monotonic() + max_minutes * 60
    began = time.monotonic()
    order: list[int] = []
    for update in range(updates):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        if len(order) < batch:
            order = list(range(len(samples)))
            context.rng.shuffle(order)
        chosen, order = order[:batch], order[batch:]
        spent = max(update / updates, (time.monotonic() - began) / (max_minutes * 60))
        rate = lr * min(1.0, (update + 1) / max(warmup, 1), 0.1 + 0.9 * 3 * (1 - min(spent, 1.0)))
        done = await context.train(record, [samples[index] for index in chosen], rate)
        record.iterations = update + 1
        if update % LOG_EVERY == 0:
            values = {
                "loss": done["loss/ce"],
                "entropy": done["entropy_mean"],
                "lr": rate,
                "tokens_per_s": done["tokens_per_s"],
            }
            context.metrics.log(record.name, update, values)
            context.progress.detail(f"update {update}  loss {done['loss/ce']:.3f}")
            context.progress.fraction(spent)
