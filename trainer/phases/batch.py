"""From finished groups of episodes to the samples of one learner step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from agent_server.episodes.trajectory import Step
from agent_server.store.tables import Episode
from trainer.aggregation import Place, aggregate
from trainer.algorithms.protocol import Algorithm, BatchView, EpisodeView, GroupView, StepView
from trainer.algorithms.rewards import episode_reward, step_rewards
from trainer.algorithms.scores import Vector
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.feedback.retries import Solved
from trainer.loss_config import Unit
from trainer.objective import phase_loss
from trainer.phases.measures import measure_steps
from trainer.phases.plays import Extras, Play, PlayGroup
from trainer.reinforce_config import ReinforceConfig
from trainer.role_steps import read_steps
from trainer.samples import Sample, imitation_samples, is_refused, rl_sample, weigh_imitation


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


def read_groups(
    context: Context, groups: Sequence[FinishedGroup], config: ReinforceConfig
) -> list[PlayGroup]:
    """The trusted episodes of finished groups, and the successes of earlier batches of their
    templates that the algorithm asks for."""
    algorithm = config.make_algorithm()
    # Successes of this batch are in the pool already.
    excluded = {row.id for group in groups for row in group.episodes}
    return [_read_group(context, group, algorithm, config.partial, excluded) for group in groups]


def make_batch(
    context: Context,
    groups: Sequence[PlayGroup],
    config: ReinforceConfig,
    anchors: Sequence[Sample],
    progress: float = 0.0,
    solved: Solved | None = None,
) -> Batch:
    """Reinforced steps of the groups, rescues, what retries `solved`, and `anchor_steps` oracle
    steps at random; `progress` is the share of the phase's iterations that is done.

    A rescue stands for its group: the rescues together weigh `rescue_ce` times their share of the
    groups that are trained on; so do retries, with `feedback.weight`."""
    algorithm = config.make_algorithm()
    extras = measure_steps(context, [group.plays for group in groups], algorithm)
    view = BatchView(
        groups=tuple(
            _view_group(group, config.partial, extra)
            for group, extra in zip(groups, extras, strict=True)
        ),
        progress=progress,
    )
    loss = phase_loss(context.config.learner.loss, algorithm)
    imitable, others, trained = _reinforced_samples(
        context, groups, algorithm.advantages(view), config.ref_kl, loss.aggregation
    )
    batch = Batch(replayed=sum(play.replayed for group in groups for play in group.plays))
    rescues: list[Sample] = []
    for index, group in enumerate(groups):
        batch.empty += not group.plays
        batch.zero_variance += bool(group.plays) and index not in trained
        if config.rescue_ce and group.is_failed:
            rescue = _rescue_samples(context, group.task.origin)
            batch.rescued += bool(rescue)
            rescues += rescue
            if rescue:
                trained.add(index)
    solved = solved or Solved()
    share = solved.tasks / max(len(trained) + solved.tasks, 1)
    imitated = weigh_imitation(
        [
            (config.replay_ce, imitable),
            (config.rescue_ce * batch.rescued / max(len(trained), 1), rescues),
            (context.config.feedback.weight * share, solved.samples),
            (config.anchor_ce, _pick_anchors(context, anchors, config)),
        ]
    )
    batch.samples = [*(sample for part in imitated for sample in part), *others]
    return batch


def _pick_anchors(
    context: Context, anchors: Sequence[Sample], config: ReinforceConfig
) -> list[Sample]:
    return context.rng.sample(anchors, min(config.anchor_steps, len(anchors)))


def _read_group(
    context: Context,
    group: FinishedGroup,
    algorithm: Algorithm,
    partial: float,
    excluded: Collection[str],
) -> PlayGroup:
    rows = [row for row in group.episodes if context.is_trusted(row)]
    plays = [_read_play(context, row) for row in rows]
    # What the infrastructure lost, or what was left out as stale, says nothing about the policy.
    is_whole = not group.lost and not group.stale and len(rows) == len(group.episodes)
    rewards = np.array([episode_reward(play.score, partial) for play in plays])
    chosen = set(excluded)
    for _ in range(algorithm.replays(rewards)):
        episode_id = context.pool.pick_from_template(group.task.origin, context.rng, chosen)
        if episode_id is not None:
            chosen.add(episode_id)
            steps = tuple(
                step
                for step in read_steps(context, episode_id)
                if step.completion.token_ids and not is_refused(step)
            )
            plays.append(Play(steps, 1.0, success=True, replayed=True))
    return PlayGroup(group.task, tuple(plays), is_whole)


def _read_play(context: Context, row: Episode) -> Play:
    """An episode by the steps that the policy answered, not an oracle before it."""
    steps = read_steps(context, row.id)
    own = tuple(step for step in steps if step.completion.token_ids)
    lead = len(steps) - len(own)
    return Play(own, row.score or 0.0, bool(row.success), lead=lead)


def _view_group(group: PlayGroup, partial: float, extras: Sequence[Sequence[Extras]]) -> GroupView:
    """A group for an algorithm; `extras` by episode and step, empty where nothing was asked for."""
    return GroupView(
        template=group.task.origin,
        max_steps=group.task.limits.max_steps,
        episodes=tuple(
            _view_episode(play, partial, extras[place] if extras else ())
            for place, play in enumerate(group.plays)
        ),
    )


def _view_episode(play: Play, partial: float, extras: Sequence[Extras]) -> EpisodeView:
    well_formed = [not is_refused(step) for step in play.steps]
    rewards = step_rewards(play.score, well_formed, partial)
    return EpisodeView(
        reward=episode_reward(play.score, partial),
        success=play.success,
        replayed=play.replayed,
        task_value=extras[0].task_value if extras else 0.0,
        steps=tuple(
            _view_step(
                step,
                float(reward),
                extras[place] if extras else Extras(),
                play.agreements[place] if play.agreements else 0.0,
            )
            for place, (step, reward) in enumerate(zip(play.steps, rewards, strict=True))
        ),
    )


def _view_step(step: Step, reward: float, extra: Extras, agreement: float) -> StepView:
    completion = step.completion
    logprobs = completion.logprobs
    shown = [picture.name for picture in completion.pictures]
    return StepView(
        reward=reward,
        state=(completion.prompt_ids, *shown),
        # An agent that reads no tree has nothing but its prompt.
        page=(step.url, step.tree) if step.tree else (completion.prompt_ids, *shown),
        answer=completion.token_ids,
        tokens=len(completion.token_ids),
        refused=is_refused(step),
        agreement=agreement,
        surprisal=-sum(logprobs) / len(logprobs) if logprobs else 0.0,
        policy_logprob=extra.policy_logprob,
        reference_logprob=extra.reference_logprob,
        value=extra.value,
    )


def _reinforced_samples(
    context: Context,
    groups: Sequence[PlayGroup],
    advantages: Sequence[Sequence[Vector]],
    ref_kl: float,
    unit: Unit,
) -> tuple[list[Sample], list[Sample], set[int]]:
    """Every step with its advantage: those that may be imitated, then the others; and the groups
    that have an advantage that is not 0. Nothing of groups without one."""
    trained = {index for index, group in enumerate(advantages) if any(map(np.any, group))}
    samples: list[Sample] = []
    places: list[Place] = []
    for index in sorted(trained):
        for episode, (play, values) in enumerate(
            zip(groups[index].plays, advantages[index], strict=True)
        ):
            for step, sample in _step_samples(context, play, values, ref_kl):
                samples.append(sample)
                places.append(Place(index, episode, step))
    imitable: list[Sample] = []
    others: list[Sample] = []
    for sample, place in zip(aggregate(samples, places, unit), places, strict=True):
        play = groups[place.group].plays[place.episode]
        may_imitate = play.success and not is_refused(play.steps[place.step])
        (imitable if may_imitate else others).append(sample)
    return imitable, others, trained


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
                    staleness=max(context.version - step.completion.version_min, 0)
                    + context.learner_ahead,
                ),
            )


def _rescue_samples(context: Context, template: str) -> list[Sample]:
    """A kept success of the same template, to imitate."""
    episode_id = context.pool.pick_from_template(template, context.rng)
    if episode_id is None:
        return []
    return imitation_samples(read_steps(context, episode_id))
