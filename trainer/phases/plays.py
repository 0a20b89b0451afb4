"""Episodes as a learner step needs them, and what an algorithm sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.episodes.trajectory import Step
from envs.contract.actions import ActionError
from envs.contract.task import Task
from trainer.algorithms.protocol import EpisodeView, GroupView, StepView
from trainer.algorithms.rewards import episode_reward, step_rewards


@dataclass(frozen=True, slots=True)
class Play:
    """One episode with its steps; `replayed` is a success of an earlier batch."""

    steps: tuple[Step, ...]
    score: float
    success: bool
    replayed: bool = False
    agreements: tuple[float, ...] = ()
    """with a demonstration, one a step; empty for an episode that was played"""


@dataclass(frozen=True, slots=True)
class PlayGroup:
    """Episodes of one task; `is_whole` where all that were submitted were judged."""

    task: Task
    plays: tuple[Play, ...]
    is_whole: bool = True

    @property
    def is_failed(self) -> bool:
        """True where it is known that every episode failed."""
        return self.is_whole and bool(self.plays) and not any(play.success for play in self.plays)


@dataclass(frozen=True, slots=True)
class Extras:
    """What an algorithm asked for of one step."""

    policy_logprob: float = 0.0
    reference_logprob: float = 0.0
    value: float = 0.0
    task_value: float = 0.0


def view_group(group: PlayGroup, partial: float, extras: Sequence[Sequence[Extras]]) -> GroupView:
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
    well_formed = [step.result.error is not ActionError.MALFORMED for step in play.steps]
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
    return StepView(
        reward=reward,
        state=completion.prompt_ids,
        # An agent that reads no tree has nothing but its prompt.
        page=(step.url, step.tree) if step.tree else completion.prompt_ids,
        answer=completion.token_ids,
        tokens=len(completion.token_ids),
        agreement=agreement,
        surprisal=-sum(logprobs) / len(logprobs) if logprobs else 0.0,
        policy_logprob=extra.policy_logprob,
        reference_logprob=extra.reference_logprob,
        value=extra.value,
    )
