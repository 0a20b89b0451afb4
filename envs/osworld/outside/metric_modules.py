"""Loads metrics by the names that task files use, so that a judge imports no more than it needs.

A metric is the function of its name in the module that `metric_names` says. `<name>_compat`, beside
it or in the package `compat`, gives the score of OSWorld itself for a metric whose defects ours
does not have (docs/osworld.md).

All modules take seconds and a hundred megabytes of libraries; one takes a tenth of that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from envs.osworld.outside.metric_names import METRICS, PACKAGES, PUBLISHED

PARENT = __name__.rpartition(".")[0]
Metric = Callable[..., float]
"""(result, expected, **options) -> score from 0 to 1; `expected` is left out when the task has
none. A FileNotFoundError scores 0."""


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """The modules that define the metric of this name, as ours and as OSWorld's; none for an
    unknown name."""
    return tuple(
        f"{PARENT}.{package}.{module}"
        for package, modules in PACKAGES.items()
        for module, names in modules.items()
        if name in names
    )


def load_metric(name: str) -> Metric:
    """Our metric of this name. Raises LookupError for an unknown one, and where a library that its
    module imports is not installed."""
    function = _load(name, name)
    if function is None:
        raise LookupError("there is no such metric")
    return function


def load_compat_metric(name: str) -> Metric | None:
    """The metric that scores as OSWorld does; None where ours does. Raises LookupError where a
    library that its module imports is not installed."""
    return _load(name, f"{name}_compat")


@cache
def available_metrics() -> tuple[str, ...]:
    """Names of the metrics whose libraries are installed; imports all of them."""
    return tuple(
        name
        for modules in (METRICS, PUBLISHED)
        for names in modules.values()
        for name in names
        if _is_available(name)
    )


def _is_available(name: str) -> bool:
    try:
        load_metric(name)
    except LookupError:
        return False
    return True


def _load(name: str, function: str) -> Metric | None:
    for module_name in modules_of(name):
        try:
            module = import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "envs":
                raise
            hint = f"there is no such metric; not installed: {error.name}"
            raise LookupError(hint) from error
        loaded: Metric | None = getattr(module, function, None)
        if loaded is not None:
            return loaded
    return None
