"""The figures of an evaluation by policy and domain, for programs (--json) and for the tables.

Guarantees: the denominator is the plan's: trials that were lost or cancelled or have not run count
as not solved, with score 0, unless none has run: then rates are None; `definitions` says how each
figure is computed. Steps, tokens and times are of the trials that have a verdict.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from agent_server.evaluation.figures.compare import Comparison, compare
from agent_server.evaluation.figures.statistics import (
    bootstrap_mean,
    pass_at_k,
    pass_hat_k,
    percentiles,
    wilson,
)
from agent_server.evaluation.job.plan import Evaluation
from agent_server.evaluation.job.progress import seconds_left
from agent_server.evaluation.job.results import PARTS, Trial

T = TypeVar("T", int, float)
ALL = "all"
PERCENTS = (50, 90, 95)
STEP_BUDGETS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
DEFINITIONS = {
    "n": "planned trials: tasks x trials; the denominator, fixed when the job began",
    "success_rate": "trials with score >= 1 / n; null, as all rates are, if none has run yet",
    "ci95": "Wilson score interval of solved / n, trials taken as independent",
    "ci95_tasks": "percentile bootstrap over tasks (10,000 resamples), the trials of a task kept "
    "together; null of a single task",
    "pass_at_k": "mean over tasks of 1 - C(n-c,k)/C(n,k): at least one of k trials solves it",
    "pass_hat_k": "mean over tasks of C(c,k)/C(n,k): all of k trials solve it (pass^k)",
    "score_mean": "mean score of n trials, partial scores counted, 0 where there is none",
    "lost": "trials that failed by infrastructure, after all retries of their failure class",
    "success_rate_whole_set": "solved / (n + trials of the tasks that could not run here)",
    "steps, tokens, wall_s": "percentiles over trials with a verdict; tokens: prompt and "
    "completion, null where the policy counts none; wall_s: from reset to verdict",
    "elapsed_s": "from the first start of a trial with a verdict to the last end, all policies",
    "cost": "of the tokens of trials with a verdict, at the prices of the agent's file",
    "cost_per_success, tokens_per_success": "cost and tokens of all trials with a verdict, "
    "failures included, divided by the solved ones; null without one, or where one was not counted",
    "seconds_left": "of a job that is not complete: elapsed_s / ended trials x those that have not "
    "ended, all policies",
    "solved_within": "by number of steps: trials solved in at most so many / n",
    "paired": "the second contender against the first on the same trials: see `eval compare`",
    "format_errors": "answers of trials with a verdict that could not be parsed; each is a step",
    "time_s": "mean seconds of a trial with a verdict, by what they were spent on",
}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Figures(_Model):
    """Figures of one policy on one domain, or on all domains. Rates are 0 to 1; None or empty where
    no trial has run yet."""

    domain: str
    tasks: int
    n: int
    solved: int
    lost: int
    not_run_yet: int
    success_rate: float | None
    ci95: tuple[float, float] | None
    ci95_tasks: tuple[float, float] | None
    pass_at_k: dict[str, float]
    pass_hat_k: dict[str, float]
    score_mean: float | None
    outcomes: dict[str, int]
    steps: dict[str, float] | None
    tokens: dict[str, float] | None
    wall_s: dict[str, float] | None
    time_s: dict[str, float] | None
    cost: float | None = None
    cost_per_success: float | None = None
    tokens_per_success: float | None = None
    format_errors: int | None = None
    solved_within: dict[str, float] = Field(default_factory=dict)


class PolicyFigures(_Model):
    """The figures of one policy: over all trials and by domain."""

    policy: str
    control: bool
    total: Figures
    domains: tuple[Figures, ...]


class Summary(_Model):
    """All figures of an evaluation; the contenders come first, then the controls."""

    evaluation: Evaluation
    complete: bool
    success_rate_whole_set: float | None
    elapsed_s: float | None = None
    seconds_left: float | None = None
    policies: tuple[PolicyFigures, ...]
    paired: Comparison | None = None
    definitions: dict[str, str] = DEFINITIONS


def summarize(evaluation: Evaluation, trials: Sequence[Trial]) -> Summary:
    """Compute the figures from all trials of the plan."""
    seed = evaluation.spec.seed
    policies = []
    for policy in evaluation.spec.policies:
        policy_trials = [trial for trial in trials if trial.policy == policy]
        by_domain: dict[str, list[Trial]] = defaultdict(list)
        for trial in policy_trials:
            by_domain[trial.domain].append(trial)
        policies.append(
            PolicyFigures(
                policy=policy,
                control=policy not in evaluation.spec.contenders,
                total=figures(ALL, policy_trials, seed),
                domains=tuple(figures(name, by_domain[name], seed) for name in sorted(by_domain)),
            )
        )
    total = policies[0].total
    elapsed_s = _elapsed_s(trials)
    open_count = sum(policy.total.not_run_yet for policy in policies)
    missing = len(evaluation.not_run) * evaluation.spec.trials
    return Summary(
        evaluation=evaluation,
        complete=all(policy.total.not_run_yet == 0 for policy in policies),
        success_rate_whole_set=None
        if total.success_rate is None
        else total.solved / (total.n + missing),
        elapsed_s=elapsed_s,
        seconds_left=None
        if elapsed_s is None or not open_count
        else seconds_left(len(trials) - open_count, len(trials), elapsed_s),
        policies=tuple(policies),
        paired=_compare_contenders(evaluation, trials),
    )


def _compare_contenders(evaluation: Evaluation, trials: Sequence[Trial]) -> Comparison | None:
    """None for a single contender, and until both have run a trial."""
    if evaluation.spec.versus is None:
        return None
    first, second = (
        [trial for trial in trials if trial.policy == policy]
        for policy in evaluation.spec.contenders
    )
    if not all(any(trial.has_run for trial in own) for own in (first, second)):
        return None
    return compare(first, second, [task.id for task in evaluation.tasks], evaluation.spec.seed)


def _elapsed_s(trials: Sequence[Trial]) -> float | None:
    """None before the first verdict."""
    starts = [trial.started_at for trial in trials if trial.started_at is not None]
    ends = [trial.ended_at for trial in trials if trial.ended_at is not None]
    return (max(ends) - min(starts)).total_seconds() if starts and ends else None


def figures(domain: str, trials: Sequence[Trial], seed: int) -> Figures:
    """Figures of at least one trial; every task has the same number of trials."""
    by_task: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_task[trial.task_id].append(trial)
    solved = sum(trial.success for trial in trials)
    judged = [trial for trial in trials if trial.has_verdict]
    outcomes = Counter(trial.outcome for trial in trials)
    counts = [
        (len(task_trials), sum(trial.success for trial in task_trials))
        for task_trials in by_task.values()
    ]
    not_run_yet = sum(not trial.has_run for trial in trials)
    has_run = not_run_yet < len(trials)
    ks = range(1, min(size for size, _ in counts) + 1) if has_run else range(0)
    return Figures(
        domain=domain,
        tasks=len(by_task),
        n=len(trials),
        solved=solved,
        lost=sum(count for name, count in outcomes.items() if name.startswith("lost")),
        not_run_yet=not_run_yet,
        success_rate=solved / len(trials) if has_run else None,
        ci95=wilson(solved, len(trials)) if has_run else None,
        ci95_tasks=bootstrap_mean([right / size for size, right in counts], seed)
        if has_run and len(counts) > 1
        else None,
        pass_at_k={str(k): _mean([pass_at_k(n, right, k) for n, right in counts]) for k in ks},
        pass_hat_k={str(k): _mean([pass_hat_k(n, right, k) for n, right in counts]) for k in ks},
        score_mean=_mean([trial.score or 0.0 for trial in trials]) if has_run else None,
        outcomes=dict(sorted(outcomes.items())),
        steps=percentiles([trial.steps for trial in judged if trial.steps is not None], PERCENTS),
        tokens=percentiles(
            [trial.tokens for trial in judged if trial.tokens is not None], PERCENTS
        ),
        wall_s=percentiles(
            [trial.wall_s for trial in judged if trial.wall_s is not None], PERCENTS
        ),
        time_s={part: _mean([trial.time_s.get(part, 0.0) for trial in judged]) for part in PARTS}
        if judged
        else None,
        cost=_sum_measured([trial.cost for trial in judged]),
        cost_per_success=_per_success([trial.cost for trial in judged], solved),
        tokens_per_success=_per_success([trial.tokens for trial in judged], solved),
        format_errors=_sum_measured([trial.format_errors for trial in judged]),
        solved_within=_solved_within(trials) if has_run else {},
    )


def _solved_within(trials: Sequence[Trial]) -> dict[str, float]:
    """Share of the trials that were solved within each budget of steps, up to the one that all
    solved trials keep."""
    steps = [trial.steps for trial in trials if trial.success and trial.steps is not None]
    shares: dict[str, float] = {}
    for budget in STEP_BUDGETS:
        shares[str(budget)] = sum(count <= budget for count in steps) / len(trials)
        if not steps or budget >= max(steps):
            break
    return shares


def _sum_measured(values: Sequence[T | None]) -> T | None:
    """The sum of the values that were measured; None without any."""
    measured = [value for value in values if value is not None]
    return sum(measured[1:], measured[0]) if measured else None


def _per_success(values: Sequence[float | None], solved: int) -> float | None:
    """None without a success, and where a trial was not measured."""
    measured = [value for value in values if value is not None]
    return math.fsum(measured) / solved if solved and len(measured) == len(values) else None


def _mean(values: Sequence[float]) -> float:
    """fsum, so that the result does not depend on the order of the values."""
    return math.fsum(values) / len(values)
