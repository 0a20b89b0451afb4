"""Entropulse (ComputerRL, arXiv:2508.14040): supervised training on successful episodes kept from
every policy version of the reinforcement before, a random few a task.

It raises entropy again without losing what was learnt, so that the next reinforcement explores.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainer.config import PulseConfig
from trainer.context import Context, PhaseRecord
from trainer.phases.supervised import supervise
from trainer.phases.text_episodes import own_solution_samples, share_of
from trainer.role_steps import read_steps
from trainer.samples import Sample, imitation_samples
from trainer.threads import in_thread


async def pulse(context: Context, record: PhaseRecord) -> None:
    """Trains on kept successes and swaps the result in; does nothing where there are none."""
    config = context.config.settings_of(record.name, PulseConfig)
    episode_ids = context.pool.pick(config.per_task, context.rng)
    samples = await in_thread(read_successes, context, episode_ids)
    values = {
        "kept": len(context.pool),
        "picked": len(episode_ids),
        "tasks": context.pool.tasks,
        "steps": len(samples),
    }
    context.metrics.log(record.name, 0, values)
    if not samples:
        context.progress.show_detail("no success to imitate yet")
        return
    added = share_of(len(samples), context.config.reasoning.share)
    samples += await own_solution_samples(context, added)
    context.learner.drop_reference()
    context.learner.reset_optimizer(config.lr, 0)
    record.ended_by = await supervise(context, record, samples, config)
    await context.publish_and_swap(record, samples)


def read_successes(context: Context, episode_ids: Sequence[str]) -> list[Sample]:
    """The steps of these episodes, to be imitated as they were sampled."""
    return [
        sample
        for episode_id in episode_ids
        for sample in imitation_samples(read_steps(context, episode_id))
    ]
