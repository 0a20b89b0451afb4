"""Choices for params that leave an answer open: no answer is more frequent than it need be."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from envs.gyms.kit.template import Resample

T = TypeVar("T")


def choose_evenly(rng: random.Random, candidates: Iterable[T], answer_of: Callable[[T], Any]) -> T:
    """A candidate: first one of the answers that there are, each as likely, then one that has it.
    Raises Resample when there is none."""
    by_answer: dict[Any, list[T]] = {}
    for candidate in candidates:
        by_answer.setdefault(answer_of(candidate), []).append(candidate)
    if not by_answer:
        raise Resample("there is nothing to choose from")
    return rng.choice(by_answer[rng.choice(sorted(by_answer))])


def require_one_best(values: Sequence[Any]) -> None:
    """Raises Resample when the largest of the values stands there twice."""
    if values.count(max(values)) > 1:
        raise Resample("two of them are equal")
