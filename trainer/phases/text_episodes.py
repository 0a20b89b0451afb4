"""Episodes in text: a problem, one call of the policy, a verifier. No environment takes part.

A share of every phase (`reasoning.share`): solutions of generated problems beside demonstrations,
right answers of the policy's own beside kept successes, groups of answers beside groups of
episodes. The held-out score is of problems that no phase trains on.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent_server.episodes.agent import Policy, Sampling, Turn
from agent_server.episodes.trajectory import Completion, Step
from agent_server.evaluation.figures.statistics import wilson
from envs.contract.observations import Observation
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Limits, Split, Task
from trainer.chat_format import prompt_format
from trainer.config import ConfigError
from trainer.context import Context
from trainer.phases.demonstrations import MOST_AT_ONCE
from trainer.phases.plays import Play, PlayGroup
from trainer.reasoning.problem import Problem, judge
from trainer.reasoning.source import ProblemSource
from trainer.reasoning_config import ReasoningConfig
from trainer.samples import Sample, imitation_samples, text_sample
from trainer.tokenizer import encode_answer, encode_prompt

GYM = "reasoning"
"""What the tasks of problems have as gym: "reasoning/arithmetic" is a template of theirs."""


@lru_cache(maxsize=4)
def open_source(config: ReasoningConfig) -> ProblemSource:
    """The problems of a configuration. Raises ConfigError for a file that cannot be used."""
    file = None if config.file is None else Path(config.file)
    try:
        return ProblemSource.of(config.kinds, file)
    except ValueError as error:
        raise ConfigError(f"reasoning.file: {error}") from error


def share_of(count: int, share: float, beside: float = 0.0) -> int:
    """How many must be added to `count` to be this share of all, at least one of a share; `beside`
    is the share of what else is added."""
    return max(round(count * share / (1 - share - beside)), 1) if share and count else 0


def solution_samples(
    context: Context, phase: str, count: int, prompt_ce: float = 0.0
) -> list[Sample]:
    """So many solutions of training problems, to be imitated in this phase, the same in a resumed
    run."""
    config = context.config
    # Not the run's own generator: a phase that is resumed draws the same problems again.
    rng = random.Random(f"solutions:{config.seed}:{phase}")
    room = prompt_format(context.tokenizer).room(
        config.model.max_model_len, config.reasoning.max_tokens
    )
    return [
        text_sample(
            encode_prompt(context.tokenizer, problem.prompt, room),
            encode_answer(context.tokenizer, problem.solution),
            prompt_ce=prompt_ce,
        )
        for problem in open_source(config.reasoning).sample(count, "train", rng)
    ]


async def own_solution_samples(context: Context, count: int) -> list[Sample]:
    """Right answers of the live policy to so many training problems, as they were sampled."""
    if not count:
        return []
    groups = await answer_problems(context, count, size=1)
    return [
        sample
        for group in groups
        for play in group.plays
        if play.success
        for sample in imitation_samples(play.steps)
    ]


async def answer_problems(context: Context, count: int, size: int) -> list[PlayGroup]:
    """A group of `size` answers to each of so many training problems. A group that the policy
    server did not answer, or that a rejected version did, has no plays."""
    problems = open_source(context.config.reasoning).sample(count, "train", context.rng)
    sampling = _sampling(context, context.config.sampling.temperature)
    answers = await _answer_all(context, problems, size, sampling)
    return [
        _group(context, problem, number, completions)
        for number, (problem, completions) in enumerate(zip(problems, answers, strict=True))
    ]


async def score_heldout(context: Context, split: Split) -> dict[str, Any]:
    """The held-out score: the same problems after every phase, at the evaluation's temperature.
    An answer that never came counts as wrong, and as lost."""
    config = context.config
    rng = random.Random(f"heldout:{config.seed}:{split}")
    problems = open_source(config.reasoning).sample(config.reasoning.heldout, split, rng)
    sampling = _sampling(context, config.eval.temperature)
    answers = await _answer_all(context, problems, 1, sampling)
    right: Counter[str] = Counter()
    for problem, completions in zip(problems, answers, strict=True):
        right[problem.kind] += any(judge(problem, answer.text)[0] for answer in completions)
    total, solved = len(problems), right.total()
    kinds = Counter(problem.kind for problem in problems)
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
        "lost": sum(not completions for completions in answers),
        "score_mean": solved / total,
        "by_template": {
            f"{GYM}/{kind}": {"success_rate": right[kind] / count, "n": count}
            for kind, count in sorted(kinds.items())
        },
    }


def _sampling(context: Context, temperature: float) -> Sampling:
    return Sampling(temperature=temperature, max_tokens=context.config.reasoning.max_tokens)


async def _answer_all(
    context: Context, problems: Sequence[Problem], size: int, sampling: Sampling
) -> list[list[Completion]]:
    """By problem; none of a problem where the policy server failed on one of its answers."""
    if context.policy is None:
        raise RuntimeError("there is no client of the policy server for text episodes")
    policy: Policy = context.policy
    room = asyncio.Semaphore(MOST_AT_ONCE)

    async def answer(turn: Turn) -> Completion:
        async with room:
            return await policy.act(turn)

    async def answer_problem(problem: Problem, number: int) -> list[Completion]:
        observation = Observation(hash="", url="")
        turn = Turn(_task(problem, number), observation, problem.prompt, sampling)
        try:
            return list(await asyncio.gather(*(answer(turn) for _ in range(size))))
        except EpisodeFault as fault:
            context.progress.show_detail(f"a problem is not answered: {fault.detail}")
            return []

    return list(
        await asyncio.gather(
            *(answer_problem(problem, number) for number, problem in enumerate(problems))
        )
    )


def _group(
    context: Context, problem: Problem, number: int, completions: Sequence[Completion]
) -> PlayGroup:
    trusted = [
        completion
        for completion in completions
        if context.trusts(completion.version_min, completion.version_max)
    ]
    plays = tuple(_play(problem, completion) for completion in trusted)
    is_whole = bool(plays) and len(plays) == len(completions)
    return PlayGroup(_task(problem, number), plays, is_whole)


def _play(problem: Problem, completion: Completion) -> Play:
    is_right, result = judge(problem, completion.text)
    step = Step(index=0, prompt=problem.prompt, completion=completion, result=result)
    # An algorithm that compares answers with demonstrations learns from right ones, too.
    agreement = 1.0 if is_right else 0.1 * result.ok
    return Play((step,), float(is_right), success=is_right, agreements=(agreement,))


def _task(problem: Problem, number: int) -> Task:
    return Task(
        id=f"{GYM}/{problem.kind}@{number}",
        instruction=problem.question,
        gym=GYM,
        template=problem.kind,
        limits=Limits(max_steps=1),
    )
