"""Reinforcement: groups of episodes, step-level GRPO, a verified hot swap after each learner step.

Episodes go on while the learner works: the next groups are asked for before the present ones are
trained on, never further ahead than `max_staleness` allows. Groups whose rewards are all equal say
nothing and are left out (counted).
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable

from envs.actions import ActionError
from envs.gyms.registry import get_gym
from trainer.advantages import step_level_grpo, step_rewards
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context, PhaseRecord
from trainer.samples import Sample, ce_sample, rl_sample

Save = Callable[[int], Awaitable[None]]


async def reinforce(
    context: Context, record: PhaseRecord, start: int = 0, save: Save | None = None
) -> None:
    """Iterations from `start` (when resumed) on; `save` is called after each of them."""
    config = context.config.reinforce
    began = time.monotonic()
    deadline = began + config.max_minutes * 60
    for iteration in range(start, config.iterations):
        if time.monotonic() > deadline:
            break
        _ask(context, record, config)
        collecting = time.monotonic()
        groups = await context.collector.gather(
            config.groups, context.version, config.max_staleness
        )
        collected_s = time.monotonic() - collecting
        _remember(context, groups)
        samples, flat = await asyncio.to_thread(_samples, context, groups, config)
        if config.max_staleness:
            _ask(context, record, config)
        spent = max(iteration / config.iterations, (time.monotonic() - began) / (deadline - began))
        values: dict[str, float] = {
            "groups_flat": flat,
            "groups": len(groups),
            "collect_s": collected_s,
            "stale": sum(group.stale for group in groups),
            "lost": sum(group.lost for group in groups),
            "samples": len(samples),
            **_success(groups),
        }
        if samples:
            warm = min(1.0, (iteration + 1) / max(config.warmup_iterations, 1))
            done = await context.train(record, samples, config.lr * warm, config.minibatches)
            await context.deliver(record, [sample for sample in samples if sample.logprobs])
            values |= done
        record.iterations = iteration + 1
        context.metrics.log(record.name, iteration, values)
        for template, rate in context.sampler.metrics().items():
            context.metrics.log(f"{record.name}/rate", iteration, {template: rate})
        context.progress.detail(
            f"iteration {iteration + 1}/{config.iterations}  train success {values['success']:.0%}"
        )
        context.progress.fraction(spent)
        if save is not None:
            await save(iteration + 1)
    context.collector.abandon()


def _ask(context: Context, record: PhaseRecord, config: ReinforceConfig) -> None:
    """Tops the groups in flight up to one learner step's worth."""
    missing = config.groups - context.collector.in_flight
    if missing <= 0:
        return
    gym = get_gym(context.config.env.gym)
    tools = context.config.env.tools
    tasks = [
        gym.make_task(template, seed).model_copy(update={"tools": tools})
        for template, seed in context.sampler.draw(missing)
    ]
    context.collector.ask(record.name, "train", tasks, config.group_size, "live", context.sampling)


def _remember(context: Context, groups: list[FinishedGroup]) -> None:
    context.progress.episodes(groups)
    for group in groups:
        solved = [row for row in group.episodes if row.success]
        context.sampler.record(group.task.template or "", len(solved), len(group.episodes))
        for row in solved:
            if not _versions(row.version_min, row.version_max) & context.rejected:
                context.pool.add(group.task.id, row.id)


def _samples(
    context: Context, groups: list[FinishedGroup], config: ReinforceConfig
) -> tuple[list[Sample], int]:
    """Samples of the groups that say something, and how many did not."""
    samples: list[Sample] = []
    flat = 0
    for group in groups:
        trusted = [
            row
            for row in group.episodes
            if not _versions(row.version_min, row.version_max) & context.rejected
        ]
        trajectories = [context.artifacts.read_trajectory(row.id).steps for row in trusted]
        rewards = [
            step_rewards(
                row.score or 0.0,
                [step.result.error is not ActionError.MALFORMED for step in steps],
                config.partial,
            )
            for row, steps in zip(trusted, trajectories, strict=True)
        ]
        advantages = step_level_grpo(rewards)
        if not any(value for trajectory in advantages for value in trajectory):
            flat += 1
            continue
        for row, steps, values in zip(trusted, trajectories, advantages, strict=True):
            for step, advantage in zip(steps, values, strict=True):
                if step.completion.token_ids:
                    samples.append(rl_sample(step, advantage))
                    if row.success and config.replay_ce:
                        samples.append(ce_sample(step, config.replay_ce))
    if samples and config.anchor_ce and context.demonstrations:
        count = min(config.anchor_steps, len(context.demonstrations))
        samples += [
            dataclasses.replace(sample, ce=config.anchor_ce, prompt_ce=0.0)
            for sample in context.rng.sample(context.demonstrations, count)
        ]
    return samples, flat


def _versions(low: int | None, high: int | None) -> set[int]:
    return set() if low is None or high is None else set(range(low, high + 1))


def _success(groups: list[FinishedGroup]) -> dict[str, float]:
    rows = [row for group in groups for row in group.episodes]
    count = max(len(rows), 1)
    return {
        "episodes": len(rows),
        "success": sum(bool(row.success) for row in rows) / count,
        "score": sum(row.score or 0.0 for row in rows) / count,
        "steps_mean": sum(row.steps for row in rows) / count,
    }
