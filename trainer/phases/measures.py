"""What some algorithms need of steps beside the episode itself: log probabilities by the policy and
by the reference. Each costs a forward over the batch, so it is done on demand."""

from __future__ import annotations

from collections.abc import Sequence

from agent_server.episodes.trajectory import Step
from trainer.algorithms.protocol import Algorithm
from trainer.context import Context
from trainer.phases.plays import Extras, Play
from trainer.samples import Sample


def measure_steps(
    context: Context, plays: Sequence[Sequence[Play]], algorithm: Algorithm
) -> list[list[list[Extras]]]:
    """By group, episode and step; no episode of a group where nothing was asked for."""
    if not algorithm.needs:
        return [[] for _ in plays]
    steps = [step for group in plays for play in group for step in play.steps]
    answered = [index for index, step in enumerate(steps) if step.completion.token_ids]
    samples = [_plain_sample(steps[index]) for index in answered]
    extras = [Extras()] * len(steps)
    if "logprobs" in algorithm.needs and samples:
        policy = context.learner.logprobs(samples)
        reference = context.learner.reference_logprobs(samples)
        for index, own, other in zip(answered, policy, reference, strict=True):
            extras[index] = Extras(policy_logprob=sum(own), reference_logprob=sum(other))
    following = iter(extras)
    return [[[next(following) for _ in play.steps] for play in group] for group in plays]


def _plain_sample(step: Step) -> Sample:
    completion = step.completion
    return Sample(completion.prompt_ids, completion.token_ids, completion.logprobs)
