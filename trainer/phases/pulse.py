"""Entropulse (ComputerRL, arXiv:2508.14040): supervised training on successful episodes kept from
every policy version of the reinforcement before, a random few a task.

It raises entropy again without losing what was learnt, so that the next reinforcement explores.
"""

from __future__ import annotations

import asyncio

from trainer.context import Context, PhaseRecord
from trainer.phases.supervised import supervise
from trainer.samples import Sample, ce_sample


async def pulse(context: Context, record: PhaseRecord) -> None:
    config = context.config.pulse
    picked = context.pool.pick(config.per_task, context.rng)
    samples = await asyncio.to_thread(_samples, context, picked)
    context.metrics.log(
        record.name,
        0,
        {"kept": len(context.pool), "picked": len(picked), "tasks": context.pool.tasks},
    )
    if not samples:
        return
    context.learner.reset_optimizer()
    await supervise(
        context,
        record,
        samples,
        lr=config.lr,
        warmup=10,
        updates=config.updates,
        batch=config.batch_steps,
        max_minutes=config.max_minutes,
    )
    await context.deliver(record, samples)


def _samples(context: Context, episode_ids: list[str]) -> list[Sample]:
    return [
        ce_sample(step)
        for episode_id in episode_ids
        for step in context.artifacts.read_trajectory(episode_id).steps
        if step.completion.token_ids
    ]
