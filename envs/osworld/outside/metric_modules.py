"""Imports the module of a metric, so that a judge imports no more than it needs.

All modules take seconds and a hundred megabytes of libraries; one takes a tenth of that.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from envs.osworld.outside.metric_names import PACKAGES

PARENT = __name__.rpartition(".")[0]


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


def import_metric(name: str) -> tuple[str, ...]:
    """Registers the metric of this name, and its `compat` version if there is one. Returns the
    names of libraries that are not installed."""
    return _import(modules_of(name))


@cache
def import_all_metrics() -> tuple[str, ...]:
    """Registers every metric whose libraries are installed. Returns the names of those that are
    not."""
    return _import(
        tuple(
            f"{PARENT}.{package}.{module}"
            for package, modules in PACKAGES.items()
            for module in modules
        )
    )


def _import(modules: tuple[str, ...]) -> tuple[str, ...]:
    missing: dict[str, None] = {}
    for module in modules:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "envs":
                raise
            missing[error.name] = None
    return tuple(missing)
