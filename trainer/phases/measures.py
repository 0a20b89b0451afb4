"""What some algorithms need of steps beside the episode itself: log probabilities by the policy and
by the reference, values of a critic. Each costs a forward over the batch: it is done on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent_server.episodes.trajectory import Step
from trainer.algorithms.protocol import Algorithm
from trainer.context import Context
from trainer.critic import Critic, Head
from trainer.phases.plays import Extras, Play
from trainer.samples import Sample, shown_pictures


def measure_steps(
    context: Context, plays: Sequence[Sequence[Play]], algorithm: Algorithm
) -> list[list[list[Extras]]]:
    """By group, episode and step; no episode of a group where nothing was asked for."""
    if not algorithm.needs:
        return [[] for _ in plays]
    moments = [
        _Moment(step, play.success, is_first=place == 0)
        for group in plays
        for play in group
        for place, step in enumerate(play.steps)
    ]
    answered = [moment for moment in moments if moment.step.completion.token_ids]
    if "logprobs" in algorithm.needs and answered:
        _measure_logprobs(context, answered)
    if "values" in algorithm.needs and answered:
        _measure_values(context, answered)
    following = iter(moments)
    return [[[next(following).extras for _ in play.steps] for play in group] for group in plays]


@dataclass(slots=True)
class _Moment:
    step: Step
    success: bool
    is_first: bool
    extras: Extras = field(default_factory=Extras)

    @property
    def sample(self) -> Sample:
        completion = self.step.completion
        return Sample(
            completion.prompt_ids,
            completion.token_ids,
            completion.logprobs,
            pictures=shown_pictures(self.step),
        )


def _measure_logprobs(context: Context, moments: Sequence[_Moment]) -> None:
    samples = [moment.sample for moment in moments]
    policy = context.learner.logprobs(samples)
    reference = context.learner.reference_logprobs(samples)
    for moment, own, other in zip(moments, policy, reference, strict=True):
        moment.extras = replace(
            moment.extras, policy_logprob=sum(own), reference_logprob=sum(other)
        )


def _measure_values(context: Context, moments: Sequence[_Moment]) -> None:
    """Values by the critic as it is, which then learns from these outcomes."""
    states_NE = context.learner.prompt_states([moment.sample for moment in moments])
    critic = context.critic = context.critic or Critic(states_NE.shape[1])
    heads: tuple[Head, ...] = ("step", "task")
    step_values, task_values = (critic.values(states_NE, head) for head in heads)
    for moment, value, task_value in zip(moments, step_values, task_values, strict=True):
        moment.extras = replace(moment.extras, value=value, task_value=task_value)
    critic.learn(states_NE, [moment.success for moment in moments], "step")
    firsts = [index for index, moment in enumerate(moments) if moment.is_first]
    critic.learn(states_NE[firsts], [moments[index].success for index in firsts], "task")
