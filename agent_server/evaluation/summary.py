"""The figures of an evaluation by policy and domain, for programs (--json) and for the tables.

Guarantees: the denominator is the plan's: what was lost, cancelled or not run yet counts as not
solved, with score 0; `definitions` says how each figure came about. Steps, tokens and times are of
the trials that have a verdict.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.plan import Evaluation
from agent_server.evaluation.results import NOT_RUN, PARTS, Trial
from agent_server.evaluation.statistics import (
    bootstrap_mean,
    pass_at_k,
    pass_hat_k,
    percentiles,
    wilson,
)

T = TypeVar("T", int, float)
ALL = "all"
PERCENTS = (50, 90, 95)
DEFINITIONS = {
    "n": "trials asked for: tasks x trials; the denominator, fixed when the job began",
    "success_rate": "trials with score >= 1 / n",
    "ci95": "Wilson score interval of solved / n, trials taken as independent",
    "ci95_tasks": "percentile bootstrap over tasks (10,000 resamples), the trials of a task kept "
    "together; null of a single task",
    "pass_at_k": "mean over tasks of 1 - C(n-c,k)/C(n,k): at least one of k trials solves it",
    "pass_hat_k": "mean over tasks of C(c,k)/C(n,k): all of k trials solve it (pass^k)",
    "score_mean": "mean score of n trials, partial scores counted, 0 where there is none",
    "lost": "trials that infrastructure took for good, after the retries of their class",
    "success_rate_whole_set": "solved / (n + trials of the tasks that could not run here)",
    "steps, tokens, wall_s": "percentiles over trials with a verdict; tokens: prompt and "
    "completion, null where the policy counts none; wall_s: from reset to verdict",
    "cost": "of the tokens of trials with a verdict, at the prices of the agent's file",
    "format_errors": "answers of trials with a verdict that could not be read; each is a step",
    "time_s": "mean seconds of a trial with a verdict, by what took them",
}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Figures(_Model):
    """Of one policy on one domain, or on all. Rates 0..1."""

    domain: str
    tasks: int
    n: int
    solved: int
    lost: int
    not_run_yet: int
    success_rate: float
    ci95: tuple[float, float]
    ci95_tasks: tuple[float, float] | None
    pass_at_k: dict[str, float]
    pass_hat_k: dict[str, float]
    score_mean: float
    outcomes: dict[str, int]
    steps: dict[str, float] | None
    tokens: dict[str, float] | None
    wall_s: dict[str, float] | None
    time_s: dict[str, float] | None
    cost: float | None = None
    format_errors: int | None = None


class PolicyFigures(_Model):
    policy: str
    control: bool
    total: Figures
    domains: tuple[Figures, ...]


class Summary(_Model):
    """`policies`: the asked one first, then the controls."""

    evaluation: Evaluation
    complete: bool
    success_rate_whole_set: float
    policies: tuple[PolicyFigures, ...]
    definitions: dict[str, str] = DEFINITIONS


def summarize(evaluation: Evaluation, trials: Sequence[Trial]) -> Summary:
    """`trials`: all of the plan."""
    seed = evaluation.asked.seed
    found = []
    for policy in evaluation.asked.policies:
        own = [trial for trial in trials if trial.policy == policy]
        by_domain: dict[str, list[Trial]] = defaultdict(list)
        for trial in own:
            by_domain[trial.domain].append(trial)
        found.append(
            PolicyFigures(
                policy=policy,
                control=policy != evaluation.asked.policy,
                total=figures(ALL, own, seed),
                domains=tuple(figures(name, by_domain[name], seed) for name in sorted(by_domain)),
            )
        )
    total = found[0].total
    missing = len(evaluation.not_run) * evaluation.asked.trials
    return Summary(
        evaluation=evaluation,
        complete=all(one.total.not_run_yet == 0 for one in found),
        success_rate_whole_set=total.solved / (total.n + missing),
        policies=tuple(found),
    )


def figures(domain: str, trials: Sequence[Trial], seed: int) -> Figures:
    """`trials`: at least one; as many of each task."""
    by_task: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_task[trial.task_id].append(trial)
    solved = sum(trial.success for trial in trials)
    arrived = [trial for trial in trials if trial.arrived]
    outcomes = Counter(trial.outcome for trial in trials)
    counts = [(len(own), sum(trial.success for trial in own)) for own in by_task.values()]
    ks = range(1, min(size for size, _ in counts) + 1)
    return Figures(
        domain=domain,
        tasks=len(by_task),
        n=len(trials),
        solved=solved,
        lost=sum(count for name, count in outcomes.items() if name.startswith("lost")),
        not_run_yet=outcomes[NOT_RUN] + outcomes["cancelled"],
        success_rate=solved / len(trials),
        ci95=wilson(solved, len(trials)),
        ci95_tasks=bootstrap_mean([right / size for size, right in counts], seed)
        if len(counts) > 1
        else None,
        pass_at_k={str(k): _mean([pass_at_k(n, right, k) for n, right in counts]) for k in ks},
        pass_hat_k={str(k): _mean([pass_hat_k(n, right, k) for n, right in counts]) for k in ks},
        score_mean=_mean([trial.score or 0.0 for trial in trials]),
        outcomes=dict(sorted(outcomes.items())),
        steps=percentiles([one.steps for one in arrived if one.steps is not None], PERCENTS),
        tokens=percentiles([one.tokens for one in arrived if one.tokens is not None], PERCENTS),
        wall_s=percentiles([one.wall_s for one in arrived if one.wall_s is not None], PERCENTS),
        time_s={part: _mean([one.time_s.get(part, 0.0) for one in arrived]) for part in PARTS}
        if arrived
        else None,
        cost=_sum([one.cost for one in arrived]),
        format_errors=_sum([one.format_errors for one in arrived]),
    )


def _sum(values: Sequence[T | None]) -> T | None:
    """None where nothing was measured."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known else None


def _mean(values: Sequence[float]) -> float:
    """Whatever the order of the values."""
    return math.fsum(values) / len(values)
