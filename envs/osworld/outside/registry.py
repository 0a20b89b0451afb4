"""Metrics by the names that task files use. A metric is here once its module is imported: see
`metric_modules`, which knows the module of each."""

from __future__ import annotations

from collections.abc import Callable

Metric = Callable[..., float]
"""(result, expected, **options) -> score from 0 to 1; `expected` is left out when the task has
none. A FileNotFoundError scores 0."""

METRICS: dict[str, Metric] = {}
COMPAT: dict[str, Metric] = {}
"""The scores of OSWorld itself, for metrics whose defects ours do not have (docs/osworld.md)."""


def metric(function: Metric) -> Metric:
    """Registers a metric under the function's name."""
    METRICS[function.__name__] = function
    return function


def compat(function: Metric) -> Metric:
    """Registers a function `<metric>_compat` that reproduces OSWorld's metric of that name."""
    COMPAT[function.__name__.removesuffix("_compat")] = function
    return function
