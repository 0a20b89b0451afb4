"""From finished groups of episodes to the samples of one learner step."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_server.episodes.trajectory import Step
from agent_server.store.tables import Episode
from envs.contract.actions import ActionError
from trainer.advantages import Vector, same_state, step_level_grpo, step_rewards
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context
from trainer.samples import Sample, ce_sample, rl_sample


@dataclass(slots=True)
class Batch:
    """What one learner step trains on. `zero_variance` groups had rewards that were all equal;
    `rescued` groups had only failures, and a kept success was imitated instead."""

    samples: list[Sample] = field(default_factory=list)
    zero_variance: int = 0
    rescued: int = 0


def build_batch(
    context: Context,
    groups: Sequence[FinishedGroup],
    config: ReinforceConfig,
    anchors: Sequence[Sample],
) -> Batch:
    """Reinforced steps of the groups, rescues, and `anchor_steps` oracle steps at random."""
    batch = Batch()
    for group in groups:
        rows = [row for row in group.episodes if context.is_trusted(row)]
        samples = _group_samples(context, rows, config)
        if not samples:
            batch.zero_variance += 1
        if config.rescue_ce and not any(row.success for row in rows):
            samples += _rescue_samples(context, group.task.origin, config.rescue_ce)
            batch.rescued += 1
        batch.samples += samples
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
    advantages = _advantages(rows, trajectories, config)
    if not any(value for trajectory in advantages for value in trajectory):
        return []
    samples = []
    for row, steps, values in zip(rows, trajectories, advantages, strict=True):
        ce = config.replay_ce if row.success else 0.0
        for step, advantage in zip(steps, values, strict=True):
            if step.completion.token_ids:
                staleness = max(context.version - step.completion.version_min, 0)
                sample = rl_sample(
                    step, float(advantage), ref_kl=config.ref_kl, staleness=staleness
                )
                samples.append(dataclasses.replace(sample, ce=ce))
    return samples


def _advantages(
    rows: Sequence[Episode], trajectories: Sequence[Sequence[Step]], config: ReinforceConfig
) -> list[Vector]:
    rewards = [
        step_rewards(
            row.score or 0.0,
            [step.result.error is not ActionError.MALFORMED for step in steps],
            config.partial,
        )
        for row, steps in zip(rows, trajectories, strict=True)
    ]
    if config.advantage == "group":
        return step_level_grpo(rewards)
    # Equal prompts are equal states: the prompt is all that the policy sees.
    states = [[step.completion.prompt_ids for step in steps] for steps in trajectories]
    return same_state(rewards, states)


def _rescue_samples(context: Context, template: str, weight: float) -> list[Sample]:
    """A kept success of the same template, to imitate."""
    episode_id = context.pool.pick_from_template(template, context.rng)
    if episode_id is None:
        return []
    steps = context.artifacts.read_trajectory(episode_id).steps
    return [ce_sample(step, weight) for step in steps if step.completion.token_ids]
