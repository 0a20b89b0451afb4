"""Supervised updates over a set of samples, shared by imitate and pulse."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from trainer.config import ImitateConfig, PulseConfig
from trainer.context import Context, PhaseRecord
from trainer.samples import Sample
from trainer.threads import in_thread

LOG_EVERY = 10
SMOOTHING = 0.9
"""Of the entropy that decides when to stop: about the last ten updates count."""


@dataclass(slots=True)
class Watch:
    """When to stop before the last update: on samples that are not trained on, or on entropy."""

    kept_back: Sequence[Sample]
    every: int
    entropy_floor: float
    loss_target: float
    entropy: float | None = None

    def sees(self, entropy: float) -> None:
        before = entropy if self.entropy is None else self.entropy
        self.entropy = SMOOTHING * before + (1 - SMOOTHING) * entropy

    @property
    def collapsed(self) -> bool:
        return self.entropy is not None and self.entropy < self.entropy_floor

    async def loss(self, context: Context) -> float:
        """Mean negative log-likelihood a token of those kept back."""
        logprobs = await in_thread(context.learner.logprobs, self.kept_back)
        tokens = [value for sample in logprobs for value in sample]
        return -sum(tokens) / len(tokens)


async def supervise(
    context: Context,
    record: PhaseRecord,
    samples: Sequence[Sample],
    config: ImitateConfig | PulseConfig,
    watch: Watch | None = None,
) -> str:
    """Epochs in random order; the rate warms up linearly and falls linearly to a tenth over the
    last third of whichever bound comes first, updates or minutes. Gives what ended it."""
    began = time.monotonic()
    seconds = config.max_minutes * 60
    batch = min(config.batch_steps, len(samples))
    order: list[int] = []
    for update in range(config.updates):
        spent = max(update / config.updates, (time.monotonic() - began) / seconds)
        if spent >= 1.0:
            return "max_minutes"
        if len(order) < batch:
            order = list(range(len(samples)))
            context.rng.shuffle(order)
        chosen, order = order[:batch], order[batch:]
        warm = (update + 1) / max(config.warmup_updates, 1)
        rate = config.lr * min(1.0, warm, 0.1 + 2.7 * (1 - spent))
        done = await context.train(record, [samples[index] for index in chosen], rate)
        record.iterations = update + 1
        values = {}
        if update % LOG_EVERY == 0:
            values = {
                "loss": done["nll_mean"],
                "entropy": done["entropy_mean"],
                "lr": rate,
                "tokens_per_s": done["tokens_per_s"],
            }
            context.progress.detail(f"update {update}  loss {done['nll_mean']:.3f}")
            context.progress.fraction(spent)
        stop = ""
        if watch is not None:
            watch.sees(done["entropy_mean"])
            if watch.kept_back and (update + 1) % watch.every == 0:
                values["heldout_loss"] = await watch.loss(context)
                if values["heldout_loss"] < watch.loss_target:
                    stop = "loss_target"
            if update > config.warmup_updates and watch.collapsed:
                stop = "entropy_floor"
        if values:
            context.metrics.log(record.name, update, values)
        if stop:
            return stop
    return "updates"
