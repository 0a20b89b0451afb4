"""Reinforcement: groups of episodes, advantages by the algorithm of the phase, a verified hot swap
after each learner step.

Episodes run while the learner works: the next groups are submitted before the present ones are
trained on; what became staler than `max_staleness` meanwhile is counted, not trained on. Groups of
zero variance, whose rewards are all equal, carry no signal and are left out (counted).
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from envs.contract.task import Task
from trainer.algorithms.rewards import episode_reward
from trainer.algorithms.scores import Vector
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context, PhaseRecord, limit_steps
from trainer.objective import phase_loss
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
        if config.ref_kl or "logprobs" in config.make_algorithm().needs:
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
    started = time.monotonic()
    groups, refills = await _collect_groups(context, record, config)
    values: dict[str, float] = {
        "collect_s": time.monotonic() - started,
        "groups": len(groups),
        "refills": refills,
        "stale": sum(group.stale for group in groups),
        "lost": sum(group.lost for group in groups),
        **_success_figures(groups),
    }
    _record_results(context, groups)
    progress = iteration / config.iterations
    batch = await in_thread(build_batch, context, groups, config, anchors, progress)
    values |= {
        "flat": batch.zero_variance,
        "rescued": batch.rescued,
        "empty": batch.empty,
        "replayed": batch.replayed,
        "samples": len(batch.samples),
    }
    if config.max_staleness and iteration + 1 < config.iterations:
        # Before training: workers play the next groups with the present policy while the learner
        # works. Without staleness allowed they have to wait for the swap.
        _submit_groups(context, record, config)
    if batch.samples:
        rate = learning_rate(config, iteration)
        loss = phase_loss(context.config.learner.loss, config.make_algorithm())
        values |= await context.train(record, batch.samples, rate, config.minibatches, loss)
        sampled = [sample for sample in batch.samples if sample.logprobs]
        await context.publish_and_swap(record, sampled or batch.samples)
    return values


async def _collect_groups(
    context: Context, record: PhaseRecord, config: ReinforceConfig
) -> tuple[list[FinishedGroup], int]:
    """One learner step's groups, and how often those without signal were replaced."""
    algorithm = config.make_algorithm()
    _submit_groups(context, record, config)
    groups = await context.collector.gather(config.groups, context.version, config.max_staleness)
    refills = 0
    while refills < algorithm.most_refills():
        rewards = [_rewards(context, group, config.partial) for group in groups]
        missing = config.groups - sum(map(algorithm.keeps, rewards))
        if missing <= 0:
            break
        _submit_groups(context, record, config)
        groups += await context.collector.gather(missing, context.version, config.max_staleness)
        refills += 1
    return groups, refills


def _rewards(context: Context, group: FinishedGroup, partial: float) -> Vector:
    rows = [row for row in group.episodes if context.is_trusted(row)]
    return np.array([episode_reward(row.score or 0.0, partial) for row in rows])


def learning_rate(config: ReinforceConfig, iteration: int) -> float:
    """Warmed up linearly; lower for learner steps of few episodes."""
    warm = min(1.0, (iteration + 1) / max(config.warmup_iterations, 1))
    size = min(1.0, config.groups * config.group_size / config.lr_episodes)
    return config.lr * warm * math.sqrt(size)


def _submit_groups(context: Context, record: PhaseRecord, config: ReinforceConfig) -> None:
    """Tops the groups in flight up to one learner step's worth and those submitted ahead."""
    missing = config.groups + config.ahead - context.collector.in_flight
    algorithm, sampler = config.make_algorithm(), context.sampler
    by_size: dict[int, list[Task]] = {}
    for template, seed in sampler.sample(max(missing, 0)):
        task = context.make_task(template, seed)
        limit = task.limits.max_steps
        steps = algorithm.step_limit(sampler.longest_success(template), limit)
        size = algorithm.rollouts(sampler.rate(template), config.group_size)
        by_size.setdefault(size, []).append(task if steps == limit else limit_steps(task, steps))
    for size, tasks in by_size.items():
        context.collector.submit(
            phase=record.name,
            purpose="train",
            tasks=tasks,
            size=size,
            policy="live",
            sampling=context.sampling,
        )


def _record_results(context: Context, groups: Sequence[FinishedGroup]) -> None:
    """Tells the display, the curriculum and the pool of successes."""
    context.progress.count_episodes(groups)
    for group in groups:
        template = group.task.origin
        solved = [row for row in group.episodes if row.success]
        context.sampler.record_group(
            template,
            len(solved),
            len(group.episodes),
            longest_success=max((row.steps for row in solved), default=0),
        )
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
