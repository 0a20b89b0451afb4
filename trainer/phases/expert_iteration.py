"""Expert iteration (Anthony et al., 2017; STaR, arXiv:2203.14465): the policy tries tasks, and
imitates its own successes of that round; then it tries again.

What it has in common with reinforcement is where its data come from, and with a pulse how it
learns from them: a failure teaches nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from trainer.collector import FinishedGroup
from trainer.config import ExpertIterationConfig
from trainer.context import Context, PhaseRecord
from trainer.judged_rewards import judge_figures, rescore_groups
from trainer.phases.pulse import read_successes
from trainer.phases.reinforce import Save
from trainer.phases.results import record_reading, record_results, success_figures, why_ended
from trainer.phases.states import fix_states
from trainer.phases.supervised import supervise
from trainer.phases.text_episodes import own_solution_samples, share_of
from trainer.samples import Sample
from trainer.threads import in_thread


async def expert_iteration(context: Context, record: PhaseRecord, start: int, save: Save) -> None:
    """Rounds from `start` on, when resumed; `save` is called after each of them."""
    config = context.config.settings_of(record.name, ExpertIterationConfig)
    began = time.monotonic() - record.wall_s
    if start == 0:
        context.learner.drop_reference()
        context.learner.reset_optimizer(config.lr, 0)
    record.ended_by = "iterations"
    for iteration in range(start, config.iterations):
        if reason := why_ended(config, record, began):
            record.ended_by = reason
            break
        await _run_round(context, record, config, iteration)
        await save(iteration + 1, list)


async def _run_round(
    context: Context, record: PhaseRecord, config: ExpertIterationConfig, iteration: int
) -> None:
    rescoring = await rescore_groups(context, await _play(context, record, config))
    groups = rescoring.groups
    record_results(context, groups)
    chosen = choose_successes(context, groups, config.per_task, context.rng)
    samples: list[Sample] = await in_thread(read_successes, context, chosen)
    samples += await own_solution_samples(
        context, share_of(len(samples), context.config.reasoning.share)
    )
    if samples:
        await supervise(context, record, samples, config)
        await context.publish_and_swap(record, samples)
        fix_states(context, samples)
    record.iterations = iteration + 1
    values = success_figures(groups)
    values |= {
        "groups": len(groups),
        "lost": sum(group.lost for group in groups),
        "flat": sum(is_flat(group) for group in groups),
        "imitated": len(chosen),
        "samples": len(samples),
        **judge_figures(rescoring.pairs),
    }
    await record_reading(context, record, values)
    context.metrics.log(f"{record.name}/round", iteration, values)
    context.progress.set_fraction((iteration + 1) / config.iterations)


async def _play(
    context: Context, record: PhaseRecord, config: ExpertIterationConfig
) -> list[FinishedGroup]:
    tasks = [context.make_task(*pair) for pair in context.sampler.sample(config.groups)]
    context.progress.show_detail(f"trying {len(tasks)} tasks")
    context.collector.submit(
        phase=record.name,
        purpose="train",
        tasks=tasks,
        size=config.group_size,
        policy="live",
        sampling=context.sampling,
    )
    return await context.collector.gather(len(tasks))


def choose_successes(
    context: Context, groups: Sequence[FinishedGroup], per_task: int, rng: random.Random
) -> list[str]:
    """Ids of a random few trusted successes of each group."""
    chosen: list[str] = []
    for group in groups:
        solved = [row.id for row in group.episodes if row.success and context.is_trusted(row)]
        chosen += rng.sample(solved, min(per_task, len(solved)))
    return chosen


def is_flat(group: FinishedGroup) -> bool:
    """True if nothing tells the group's episodes apart."""
    return len({row.score for row in group.episodes}) < 2
