"""The statistics of an evaluation as pure functions: rates, intervals, tests between two runs.

Guarantees: equal input and seed give equal output on any machine; nothing here knows what an
episode is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

Z95 = 1.959964
RESAMPLES = 10_000
BATCH = 500
"""Resamples drawn at once: bounds the memory of large task sets."""
Interval = tuple[float, float]


def wilson(successes: int, total: int, effective: float | None = None) -> Interval:
    """95% score interval of a rate (Wilson 1927): of `total` trials, which are worth `effective`
    independent ones (None: all are independent).

    The interval always contains the rate: where all trials or none succeeded, rounding alone would
    put the bound a hair inside it, and an error bar would have a negative length."""
    if total == 0:
        return 0.0, 1.0
    rate = successes / total
    trials = total if effective is None else effective
    centre = (rate + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    spread = rate * (1 - rate) / trials + Z95**2 / (4 * trials**2)
    half = Z95 * math.sqrt(spread) / (1 + Z95**2 / trials)
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def effective_trials(tasks: Iterable[str]) -> float:
    """How many independent trials these are worth, given the task of each: n^2 / sum of squares of
    how often each task was tried (Kish 1965, "Survey Sampling"). It takes all trials of a task to
    end alike, so an interval made with it is rather too wide than too narrow."""
    counts = Counter(tasks).values()
    return sum(counts) ** 2 / sum(count**2 for count in counts)


def bootstrap_mean(values: Sequence[float], seed: int, resamples: int = RESAMPLES) -> Interval:
    """95% percentile interval of a mean (Efron 1979), the values drawn with replacement.

    Given one value a task, its mean over trials, it is the task-clustered bootstrap: trials of a
    task are alike, so tasks are what was sampled (Miller 2024, "Adding Error Bars to Evals"). Given
    differences, one a task, it is the paired bootstrap. Raises ValueError without values."""
    if not values:
        raise ValueError("no values to resample")
    array = np.asarray(values, dtype=np.float64)
    rng = np.random.Generator(np.random.PCG64(seed))
    means = np.concatenate(
        [
            array[rng.integers(0, len(array), (min(BATCH, resamples - done), len(array)))].mean(1)
            for done in range(0, resamples, BATCH)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def pass_at_k(trials: int, solved: int, k: int) -> float:
    """Chance that at least one of k trials solves the task, unbiased from `solved` of `trials`:
    1 - C(n - c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    equation 1). Raises ValueError where k exceeds the trials."""
    _check(trials, solved, k)
    return 1.0 - math.comb(trials - solved, k) / math.comb(trials, k)


def pass_hat_k(trials: int, solved: int, k: int) -> float:
    """Chance that all of k trials solve the task, unbiased: C(c, k) / C(n, k), pass^k (Yao et al.
    2024, "tau-bench"). Raises ValueError where k exceeds the trials."""
    _check(trials, solved, k)
    return math.comb(solved, k) / math.comb(trials, k)


def _check(trials: int, solved: int, k: int) -> None:
    if not 0 <= solved <= trials or not 1 <= k <= trials:
        raise ValueError(f"{solved} of {trials} trials solved, k = {k}")


def percentiles(values: Sequence[float], at: Sequence[int]) -> dict[str, float] | None:
    """{"p50": ...}, interpolated linearly between neighbours (type 7 of Hyndman and Fan 1996); None
    of no values, for nothing was measured."""
    if not values:
        return None
    numbers = np.percentile(np.asarray(values, dtype=np.float64), list(at))
    return {f"p{percent}": float(value) for percent, value in zip(at, numbers, strict=True)}


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided p of McNemar's test (1947) in its exact form: of the tasks that only one of two
    policies solved, each is the first's with chance 1/2."""
    total = only_first + only_second
    tail = sum(math.comb(total, count) for count in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**total))
