"""From finished groups of episodes to the samples of one learner step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_server.episodes.trajectory import Step
from agent_server.store.tables import Episode
from envs.contract.actions import ActionError
from trainer.advantages import Vector, same_state, step_level_grpo, step_rewards
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context
from trainer.samples import Sample, ce_sample, rl_sample, weigh_imitation


@dataclass(slots=True)
class Batch:
    """What one learner step trains on. `zero_variance` groups had rewards that were all equal;
    `rescued` groups had only failures, and a kept success was imitated instead; `empty` groups had
    no episode left to learn from."""

    samples: list[Sample] = field(default_factory=list)
    zero_variance: int = 0
    rescued: int = 0
    empty: int = 0


def build_batch(
    context: Context,
    groups: Sequence[FinishedGroup],
    config: ReinforceConfig,
    anchors: Sequence[Sample],
) -> Batch:
    """Reinforced steps of the groups, rescues, and `anchor_steps` oracle steps at random.

    A rescue stands for its group: the rescues together weigh `rescue_ce` times their share of the
    groups that are trained on."""
    batch = Batch()
    successes: list[Sample] = []
    failures: list[Sample] = []
    rescues: list[Sample] = []
    trained = 0
    for group in groups:
        rows = [row for row in group.episodes if context.is_trusted(row)]
        solved, failed = _group_samples(context, rows, config)
        successes += solved
        failures += failed
        batch.empty += not rows
        batch.zero_variance += bool(rows) and not solved + failed
        rescue = []
        if config.rescue_ce and _is_failed(group, rows):
            rescue = _rescue_samples(context, group.task.origin)
            batch.rescued += bool(rescue)
        rescues += rescue
        trained += bool(solved or failed or rescue)
    imitated = weigh_imitation(
        [
            (config.replay_ce, successes),
            (config.rescue_ce * batch.rescued / max(trained, 1), rescues),
            (config.anchor_ce, _pick_anchors(context, anchors, config)),
        ]
    )
    batch.samples = [*(sample for part in imitated for sample in part), *failures]
    return batch


def _is_failed(group: FinishedGroup, rows: Sequence[Episode]) -> bool:
    """True where every episode that was submitted was judged and failed: what the infrastructure
    lost, or what was left out as stale, says nothing about the policy."""
    is_whole = not group.lost and not group.stale and len(rows) == len(group.episodes)
    return is_whole and bool(rows) and not any(row.success for row in rows)


def _pick_anchors(
    context: Context, anchors: Sequence[Sample], config: ReinforceConfig
) -> list[Sample]:
    return context.rng.sample(anchors, min(config.anchor_steps, len(anchors)))


def _group_samples(
    context: Context, rows: Sequence[Episode], config: ReinforceConfig
) -> tuple[list[Sample], list[Sample]]:
    """Every step of successes and of failures with its advantage; nothing where all are 0.

    The pull to the reference goes where an advantage pushes: a step without one costs nothing."""
    trajectories = [context.artifacts.read_trajectory(row.id).steps for row in rows]
    advantages = _advantages(rows, trajectories, config)
    successes: list[Sample] = []
    failures: list[Sample] = []
    if not any(value for trajectory in advantages for value in trajectory):
        return successes, failures
    for row, steps, values in zip(rows, trajectories, advantages, strict=True):
        samples = successes if row.success else failures
        for step, advantage in zip(steps, values, strict=True):
            if step.completion.token_ids:
                staleness = max(context.version - step.completion.version_min, 0)
                ref_kl = config.ref_kl if advantage else 0.0
                sample = rl_sample(step, float(advantage), ref_kl=ref_kl, staleness=staleness)
                samples.append(sample)
    return successes, failures


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


def _rescue_samples(context: Context, template: str) -> list[Sample]:
    """A kept success of the same template, to imitate."""
    episode_id = context.pool.pick_from_template(template, context.rng)
    if episode_id is None:
        return []
    steps = context.artifacts.read_trajectory(episode_id).steps
    return [ce_sample(step) for step in steps if step.completion.token_ids]
