"""From finished groups of episodes to the samples of one learner step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from agent_server.store.tables import Episode
from trainer.aggregation import Place, aggregate
from trainer.algorithms.protocol import Algorithm, BatchView
from trainer.algorithms.scores import Vector
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context
from trainer.loss_config import Unit
from trainer.objective import phase_loss
from trainer.phases.measures import measure_steps
from trainer.phases.plays import Play, view_group
from trainer.samples import Sample, ce_sample, rl_sample, weigh_imitation


@dataclass(slots=True)
class Batch:
    """What one learner step trains on. `zero_variance` groups had rewards that were all equal;
    `rescued` groups had only failures, and a kept success was imitated instead; `empty` groups had
    no episode left to learn from; `replayed` successes were added to groups."""

    samples: list[Sample] = field(default_factory=list)
    zero_variance: int = 0
    rescued: int = 0
    empty: int = 0
    replayed: int = 0


def build_batch(
    context: Context,
    groups: Sequence[FinishedGroup],
    config: ReinforceConfig,
    anchors: Sequence[Sample],
    progress: float = 0.0,
) -> Batch:
    """Reinforced steps of the groups, rescues, and `anchor_steps` oracle steps at random;
    `progress` is the share of the phase's iterations that is done.

    A rescue stands for its group: the rescues together weigh `rescue_ce` times their share of the
    groups that are trained on."""
    algorithm = config.make_algorithm()
    rows = [[row for row in group.episodes if context.is_trusted(row)] for group in groups]
    plays = [
        _read_plays(context, group, part, algorithm, config)
        for group, part in zip(groups, rows, strict=True)
    ]
    extras = measure_steps(context, plays, algorithm)
    view = BatchView(
        groups=tuple(
            view_group(group.task, part, config.partial, extra)
            for group, part, extra in zip(groups, plays, extras, strict=True)
        ),
        progress=progress,
    )
    loss = phase_loss(context.config.learner.loss, algorithm)
    successes, failures, trained = _samples_by_outcome(
        context, plays, algorithm.advantages(view), config.ref_kl, loss.aggregation
    )
    batch = Batch(replayed=sum(play.replayed for part in plays for play in part))
    rescues: list[Sample] = []
    for index, group in enumerate(groups):
        batch.empty += not rows[index]
        batch.zero_variance += bool(rows[index]) and index not in trained
        if config.rescue_ce and _is_failed(group, rows[index]):
            rescue = _rescue_samples(context, group.task.origin)
            batch.rescued += bool(rescue)
            rescues += rescue
            if rescue:
                trained.add(index)
    imitated = weigh_imitation(
        [
            (config.replay_ce, successes),
            (config.rescue_ce * batch.rescued / max(len(trained), 1), rescues),
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


def _read_plays(
    context: Context,
    group: FinishedGroup,
    rows: Sequence[Episode],
    algorithm: Algorithm,
    config: ReinforceConfig,
) -> list[Play]:
    """The group's episodes, and the kept successes of its template that the algorithm asks for."""
    plays = [
        Play(context.artifacts.read_trajectory(row.id).steps, row.score or 0.0, bool(row.success))
        for row in rows
    ]
    if not plays:
        return plays
    view = view_group(group.task, plays, config.partial, ())
    replayed: set[str] = set()
    for _ in range(algorithm.replays(view.rewards)):
        episode_id = context.pool.pick_from_template(group.task.origin, context.rng)
        if episode_id is not None and episode_id not in replayed:
            replayed.add(episode_id)
            steps = context.artifacts.read_trajectory(episode_id).steps
            plays.append(Play(steps, 1.0, success=True, replayed=True))
    return plays


def _samples_by_outcome(
    context: Context,
    plays: Sequence[Sequence[Play]],
    advantages: Sequence[Sequence[Vector]],
    ref_kl: float,
    unit: Unit,
) -> tuple[list[Sample], list[Sample], set[int]]:
    """Every step of successes and of failures with its advantage, and the groups that have one
    that is not 0; nothing of the others."""
    trained = {index for index, group in enumerate(advantages) if any(map(np.any, group))}
    samples: list[Sample] = []
    places: list[Place] = []
    for index in sorted(trained):
        for episode, (play, values) in enumerate(zip(plays[index], advantages[index], strict=True)):
            for step, sample in _step_samples(context, play, values, ref_kl):
                samples.append(sample)
                places.append(Place(index, episode, step))
    successes: list[Sample] = []
    failures: list[Sample] = []
    for sample, place in zip(aggregate(samples, places, unit), places, strict=True):
        solved = plays[place.group][place.episode].success
        (successes if solved else failures).append(sample)
    return successes, failures, trained


def _step_samples(
    context: Context, play: Play, advantages: Vector, ref_kl: float
) -> Iterator[tuple[int, Sample]]:
    """Each step that the policy answered, with its number.

    The pull to the reference goes where an advantage pushes: a step without one costs nothing."""
    for number, (step, advantage) in enumerate(zip(play.steps, advantages, strict=True)):
        if step.completion.token_ids:
            yield (
                number,
                rl_sample(
                    step,
                    float(advantage),
                    ref_kl=ref_kl if advantage else 0.0,
                    staleness=max(context.version - step.completion.version_min, 0),
                ),
            )


def _rescue_samples(context: Context, template: str) -> list[Sample]:
    """A kept success of the same template, to imitate."""
    episode_id = context.pool.pick_from_template(template, context.rng)
    if episode_id is None:
        return []
    steps = context.artifacts.read_trajectory(episode_id).steps
    return [ce_sample(step) for step in steps if step.completion.token_ids]
