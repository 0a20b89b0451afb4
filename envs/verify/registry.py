"""Getters and metrics by the names that task files use (OSWorld's, and ours).

A getter fetches something from the machine, its parameters being the rest of the `result` or
`expected` object; a metric compares what was fetched and gives a score from 0 to 1. Both are plain
functions; what is missing on the machine is a FileNotFoundError, which scores 0.
"""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the episode ended, and when, for getters that look at it. `scratch`: a folder for what
    they make, of this episode alone and gone once it is judged."""

    answer: str | None
    infeasible: bool
    at: datetime.datetime = field(default_factory=_now)
    scratch: Path | None = None


Getter = Callable[[Any, Ending, Mapping[str, Any]], Awaitable[Any]]
"""(machine, ending, parameters) -> value. The machine is a `Machine`; some want a `Desktop`."""
Metric = Callable[..., float]
"""(result, expected, **options) -> score; `expected` is left out when the task has none."""

GETTERS: dict[str, Getter] = {}
METRICS: dict[str, Metric] = {}
OUTSIDE: set[str] = set()
"""Getters that look at no machine: what they give never enters the one that is judged."""
COMPAT: dict[str, Metric] = {}
"""As OSWorld itself scores, for metrics whose defects ours have not (docs/osworld.md)."""


def getter(name: str, outside: bool = False) -> Callable[[Getter], Getter]:
    """`outside`: it looks at no machine and is called without one."""

    def register(function: Getter) -> Getter:
        GETTERS[name] = function
        if outside:
            OUTSIDE.add(name)
        return function

    return register


def metric(function: Metric) -> Metric:
    """Registers a metric under its own name."""
    METRICS[function.__name__] = function
    return function


def compat(function: Metric) -> Metric:
    """Registers a function `<metric>_compat` as what OSWorld's metric of that name gives."""
    COMPAT[function.__name__.removesuffix("_compat")] = function
    return function
