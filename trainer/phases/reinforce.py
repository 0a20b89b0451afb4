"""Reinforcement: groups of episodes, step-level GRPO, a verified hot swap after each learner step.

Episodes run while the learner works: the next groups are submitted before the present ones are
trained on; what became staler than `max_staleness` meanwhile is counted, not trained on. Groups of
zero variance, whose rewards are all equal, carry no signal and are left out (counted).
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence

from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context, PhaseRecord
from trainer.phases.batch import build_batch
from trainer.phases.imitate import oracle_samples
from trainer.phases.supervised import MAX_MINUTES
from trainer.samples import Sample
from trainer.threads import in_thread

Save = Callable[[int], Awaitable[None]]
"""Writes a checkpoint after so many iterations of the phase."""


async def reinforce(context: Context, record: PhaseRecord, start: int, save: Save) -> None:
    """Iterations from `start` (when resumed) on; `save` is called after each of them."""
    config = context.config.reinforce_config(record.name)
    seconds = config.max_minutes * 60
    began = time.monotonic() - record.wall_s
    if start == 0:
        context.learner.reset_optimizer(config.lr, 0)
        context.learner.drop_reference()
        if config.ref_kl:
            context.learner.snapshot_reference()
    anchors: list[Sample] = []
    if config.anchor_ce:
        anchors = await in_thread(oracle_samples, context, context.demonstrations)
    for iteration in range(start, config.iterations):
        if time.monotonic() - began > seconds:
            record.ended_by = MAX_MINUTES
            break
        values = await _iterate(context, record, config, iteration, anchors)
        record.iterations = iteration + 1
        context.metrics.log(record.name, iteration, values)
        context.metrics.log(f"{record.name}/rate", iteration, context.sampler.metrics())
        context.progress.show_detail(
            f"iteration {iteration + 1}/{config.iterations}  train success {values['success']:.0%}"
        )
        context.progress.set_fraction((iteration + 1) / config.iterations)
        await save(iteration + 1)
    else:
        record.ended_by = "iterations"
    context.collector.cancel_in_flight()
    context.learner.drop_reference()


async def _iterate(
    context: Context,
    record: PhaseRecord,
    config: ReinforceConfig,
    iteration: int,
    anchors: Sequence[Sample],
) -> dict[str, float]:
    """Collects groups, trains on them and swaps the result in; returns the iteration's metrics."""
    _submit_groups(context, record, config)
    started = time.monotonic()
    groups = await context.collector.gather(config.groups, context.version, config.max_staleness)
    values: dict[str, float] = {
        "collect_s": time.monotonic() - started,
        "groups": len(groups),
        "stale": sum(group.stale for group in groups),
        "lost": sum(group.lost for group in groups),
        **_success_figures(groups),
    }
    _record_results(context, groups)
    batch = await in_thread(build_batch, context, groups, config, anchors)
    values |= {
        "flat": batch.zero_variance,
        "rescued": batch.rescued,
        "empty": batch.empty,
        "samples": len(batch.samples),
    }
    if config.max_staleness and iteration + 1 < config.iterations:
        # Before training: workers play the next groups with the present policy while the learner
        # works. Without staleness allowed they have to wait for the swap.
        _submit_groups(context, record, config)
    if batch.samples:
        rate = learning_rate(config, iteration)
        values |= await context.train(record, batch.samples, rate, config.minibatches)
        sampled = [sample for sample in batch.samples if sample.logprobs]
        await context.publish_and_swap(record, sampled or batch.samples)
    return values


def learning_rate(config: ReinforceConfig, iteration: int) -> float:
    """Warmed up linearly; lower for learner steps of few episodes."""
    warm = min(1.0, (iteration + 1) / max(config.warmup_iterations, 1))
    size = min(1.0, config.groups * config.group_size / config.lr_episodes)
    return config.lr * warm * math.sqrt(size)


def _submit_groups(context: Context, record: PhaseRecord, config: ReinforceConfig) -> None:
    """Tops the groups in flight up to one learner step's worth and those submitted ahead."""
    missing = config.groups + config.ahead - context.collector.in_flight
    if missing > 0:
        context.collector.submit(
            phase=record.name,
            purpose="train",
            tasks=[
                context.make_task(template, seed)
                for template, seed in context.sampler.sample(missing)
            ],
            size=config.group_size,
            policy="live",
            sampling=context.sampling,
        )


def _record_results(context: Context, groups: Sequence[FinishedGroup]) -> None:
    """Tells the display, the curriculum and the pool of successes."""
    context.progress.count_episodes(groups)
    for group in groups:
        template = group.task.origin
        solved = [row for row in group.episodes if row.success]
        context.sampler.record_group(template, len(solved), len(group.episodes))
        for row in solved:
            if context.is_trusted(row):
                context.pool.add(template, group.task.id, row.id)


def _success_figures(groups: Sequence[FinishedGroup]) -> dict[str, float]:
    rows = [row for group in groups for row in group.episodes]
    count = max(len(rows), 1)
    return {
        "episodes": len(rows),
        "success": sum(bool(row.success) for row in rows) / count,
        "score": sum(row.score or 0.0 for row in rows) / count,
        "steps_mean": sum(row.steps for row in rows) / count,
    }
