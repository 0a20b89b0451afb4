"""Supervised updates over a set of samples, shared by the phases that imitate."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from trainer.config import ExpertIterationConfig, PulseConfig
from trainer.context import Context, PhaseRecord
from trainer.imitate_config import ImitateConfig
from trainer.samples import Sample
from trainer.threads import in_thread

LOG_EVERY = 10
SAVE_EVERY = 50
"""Updates between two checkpoints of a phase that saves any."""
MAX_MINUTES = "max_minutes"
"""`PhaseRecord.ended_by` of a phase that its time limit ended, before it had done its work."""
SMOOTHING = 0.9
"""Of the entropy that decides when to stop: about the last ten updates count."""


@dataclass(slots=True, kw_only=True)
class StoppingRule:
    """Stops before the last update: on the loss of samples that are not trained on, checked every
    `check_every` updates, or on the policy's entropy. Both in nats a token; 0 never stops."""

    heldout: Sequence[Sample]
    check_every: int
    entropy_floor: float
    loss_target: float
    entropy: float | None = None
    """the moving average; that of its record where a phase is resumed"""

    def observe_entropy(self, entropy: float) -> None:
        """Takes one update's entropy into the moving average."""
        before = entropy if self.entropy is None else self.entropy
        self.entropy = SMOOTHING * before + (1 - SMOOTHING) * entropy

    @property
    def is_collapsed(self) -> bool:
        """True when the entropy is below the floor."""
        return self.entropy is not None and self.entropy < self.entropy_floor

    async def heldout_loss(self, context: Context) -> float:
        """Mean negative log-likelihood a token of the held-out samples."""
        logprobs = await in_thread(context.learner.logprobs, self.heldout)
        tokens = [value for sample in logprobs for value in sample]
        return -sum(tokens) / len(tokens)


@dataclass(slots=True)
class _Shuffler:
    """Batches in random order; what is left of an epoch and fills no batch is skipped. A batch
    follows from the seed and its number, so that a resumed phase goes on as it would have."""

    samples: Sequence[Sample]
    seed: str
    size: int
    _order: list[int] = field(default_factory=list)
    _epoch: int = -1

    def batch(self, number: int) -> list[Sample]:
        epoch, place = divmod(number, len(self.samples) // self.size)
        if epoch != self._epoch:
            self._epoch, self._order = epoch, list(range(len(self.samples)))
            random.Random(f"{self.seed}:{epoch}").shuffle(self._order)
        chosen = self._order[place * self.size : (place + 1) * self.size]
        return [self.samples[index] for index in chosen]


async def supervise(
    context: Context,
    record: PhaseRecord,
    samples: Sequence[Sample],
    config: ImitateConfig | PulseConfig | ExpertIterationConfig,
    rule: StoppingRule | None = None,
    start: int = 0,
    save: Callable[[int], Awaitable[None]] | None = None,
    event: str | None = None,
) -> str:
    """Trains on the samples and returns what ended it: updates, the rule's loss_target or
    entropy_floor, or the guard max_minutes. It begins with update `start`; `save` is called with
    the number of updates that are done, every `SAVE_EVERY` of them. The guard counts the time of
    the updates before `start`, too. `event` names the lines of metrics.jsonl, else the phase does.

    The rate warms up linearly and falls linearly to a tenth over the last third of the updates: it
    knows no clock, so a slower machine learns the same."""
    began = time.monotonic() - (record.supervised_s if start else 0.0)
    seconds = config.max_minutes * 60
    order = f"order:{context.config.seed}:{record.name}"
    batches = _Shuffler(samples, order, min(config.batch_steps, len(samples)))
    for update in range(start, config.updates):
        record.supervised_s = time.monotonic() - began
        if record.supervised_s >= seconds:
            return MAX_MINUTES
        spent = update / config.updates
        rate = config.lr * learning_rate_factor(update, config.warmup_updates, spent)
        figures = await context.train(record, batches.batch(update), rate)
        record.iterations = update + 1
        values = {}
        if update % LOG_EVERY == 0:
            values = {
                "loss": figures["nll_mean"],
                "entropy": figures["entropy_mean"],
                "lr": rate,
                "tokens_per_s": figures["tokens_per_s"],
            }
            context.progress.show_detail(f"update {update}  loss {figures['nll_mean']:.3f}")
            context.progress.set_fraction(spent)
        stop = ""
        if rule is not None:
            rule.observe_entropy(figures["entropy_mean"])
            record.entropy_average = rule.entropy
            if rule.heldout and (update + 1) % rule.check_every == 0:
                values["heldout_loss"] = await rule.heldout_loss(context)
                if values["heldout_loss"] < rule.loss_target:
                    stop = "loss_target"
            if update > config.warmup_updates and rule.is_collapsed:
                stop = "entropy_floor"
        if values:
            context.metrics.log(event or record.name, update, values)
        if stop:
            return stop
        if save is not None and (update + 1) % SAVE_EVERY == 0:
            record.supervised_s = time.monotonic() - began
            await save(update + 1)
    return "updates"


def learning_rate_factor(update: int, warmup_updates: int, spent: float) -> float:
    """Linear warm-up to 1, then 1, then linear to 0.1 over the last third; `spent` is the share of
    the phase's budget that is used up."""
    warm = (update + 1) / max(warmup_updates, 1)
    return min(1.0, warm, 0.1 + 2.7 * (1 - spent))
