"""Reinforcement: groups of episodes, step-level GRPO, a verified hot swap after each learner step.

Episodes go on while the learner works: the next groups are asked for before the present ones are
trained on; what became staler than `max_staleness` meanwhile is counted, not trained on. Groups
whose rewards are all equal say nothing and are left out (counted).
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from agent_server.store.tables import Episode
from envs.actions import ActionError
from trainer.advantages import same_state, step_level_grpo, step_rewards
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context, PhaseRecord
from trainer.phases.imitate import oracle_samples
from trainer.samples import Sample, ce_sample, rl_sample
from trainer.threads import in_thread

Save = Callable[[int], Awaitable[None]]


@dataclass(slots=True)
class Batch:
    """What one learner step trains on. `flat` groups had rewards that were all equal."""

    samples: list[Sample] = field(default_factory=list)
    flat: int = 0
    rescued: int = 0


async def reinforce(context: Context, record: PhaseRecord, start: int, save: Save) -> None:
    """Iterations from `start` (when resumed) on; `save` is called after each of them."""
    config = context.config.reinforce_of(record.name)
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
            record.ended_by = "max_minutes"
            break
        _ask(context, record, config)
        collecting = time.monotonic()
        groups = await context.collector.gather(
            config.groups, context.version, config.max_staleness
        )
        values: dict[str, float] = {
            "collect_s": time.monotonic() - collecting,
            "groups": len(groups),
            "stale": sum(group.stale for group in groups),
            "lost": sum(group.lost for group in groups),
            **_success(groups),
        }
        _remember(context, groups)
        batch = await in_thread(_batch, context, groups, config, anchors)
        values |= {"flat": batch.flat, "rescued": batch.rescued, "samples": len(batch.samples)}
        if config.max_staleness and iteration + 1 < config.iterations:
            _ask(context, record, config)
        if batch.samples:
            warm = min(1.0, (iteration + 1) / max(config.warmup_iterations, 1))
            lr = config.lr * warm
            values |= await context.train(record, batch.samples, lr, config.minibatches)
            await context.deliver(record, [one for one in batch.samples if one.logprobs])
        record.iterations = iteration + 1
        context.metrics.log(record.name, iteration, values)
        context.metrics.log(f"{record.name}/rate", iteration, context.sampler.metrics())
        context.progress.detail(
            f"iteration {iteration + 1}/{config.iterations}  train success {values['success']:.0%}"
        )
        done = (iteration + 1) / config.iterations
        context.progress.fraction(max(done, (time.monotonic() - began) / seconds))
        await save(iteration + 1)
    else:
        record.ended_by = "iterations"
    context.collector.abandon()
    context.learner.drop_reference()


def _ask(context: Context, record: PhaseRecord, config: ReinforceConfig) -> None:
    """Tops the groups in flight up to one learner step's worth and those asked for ahead."""
    missing = config.groups + config.ahead - context.collector.in_flight
    if missing > 0:
        tasks = [context.task(*drawn) for drawn in context.sampler.draw(missing)]
        context.collector.ask(
            record.name, "train", tasks, config.group_size, "live", context.sampling
        )


def _remember(context: Context, groups: Sequence[FinishedGroup]) -> None:
    context.progress.episodes(groups)
    for group in groups:
        template = group.task.origin
        solved = [row for row in group.episodes if row.success]
        context.sampler.record(template, len(solved), len(group.episodes))
        for row in solved:
            if context.trusts(row):
                context.pool.add(template, group.task.id, row.id)


def _batch(
    context: Context,
    groups: Sequence[FinishedGroup],
    config: ReinforceConfig,
    anchors: Sequence[Sample],
) -> Batch:
    batch = Batch()
    for group in groups:
        rows = [row for row in group.episodes if context.trusts(row)]
        found = _group_samples(context, rows, config)
        if not found:
            batch.flat += 1
        if config.rescue_ce and not any(row.success for row in rows):
            found += _rescue(context, group.task.origin, config.rescue_ce)
            batch.rescued += 1
        batch.samples += found
    if anchors:
        count = min(config.anchor_steps, len(anchors))
        batch.samples += [
            dataclasses.replace(sample, ce=config.anchor_ce)
            for sample in context.rng.sample(anchors, count)
        ]
    return batch


def _group_samples(
    context: Context, rows: Sequence[Episode], config: ReinforceConfig
) -> list[Sample]:
    """Every step of a group with its advantage; nothing where all rewards are equal."""
    trajectories = [context.artifacts.read_trajectory(row.id).steps for row in rows]
    rewards = [
        step_rewards(
            row.score or 0.0,
            [step.result.error is not ActionError.MALFORMED for step in steps],
            config.partial,
        )
        for row, steps in zip(rows, trajectories, strict=True)
    ]
    if config.advantage == "same_state":
        states = [[step.completion.prompt_ids for step in steps] for steps in trajectories]
        advantages = same_state(rewards, states)
    else:
        advantages = step_level_grpo(rewards)
    if not any(value for trajectory in advantages for value in trajectory):
        return []
    samples = []
    for row, steps, values in zip(rows, trajectories, advantages, strict=True):
        ce = config.replay_ce if row.success else 0.0
        for step, advantage in zip(steps, values, strict=True):
            if step.completion.token_ids:
                lag = context.version - step.completion.version_min
                sample = rl_sample(step, float(advantage), ref_kl=config.ref_kl, lag=max(lag, 0))
                samples.append(dataclasses.replace(sample, ce=ce))
    return samples


def _rescue(context: Context, template: str, weight: float) -> list[Sample]:
    """A kept success of the same template, to imitate."""
    episode_id = context.pool.pick_like(template, context.rng)
    if episode_id is None:
        return []
    steps = context.artifacts.read_trajectory(episode_id).steps
    return [ce_sample(step, weight) for step in steps if step.completion.token_ids]


def _success(groups: Sequence[FinishedGroup]) -> dict[str, float]:
    rows = [row for group in groups for row in group.episodes]
    count = max(len(rows), 1)
    return {
        "episodes": len(rows),
        "success": sum(bool(row.success) for row in rows) / count,
        "score": sum(row.score or 0.0 for row in rows) / count,
        "steps_mean": sum(row.steps for row in rows) / count,
    }
