"""What an agent has made may be broken in any way; what a task file says may not.

Guarantees: a metric under `broken_scores_0` gives 0 for a file that cannot be read or understood,
and raises BadRules for rules or options that are wrong, whatever the file is like.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection, Mapping
from typing import Any

from envs.verify.registry import Metric


class BadRules(ValueError):
    """The task file's rules or options are wrong."""


class Unreadable(ValueError):
    """The file is not what it should be."""


def broken_scores_0(function: Metric) -> Metric:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def judged(*given: Any, **options: Any) -> float:
        try:
            signature.bind(*given, **options)
        except TypeError as error:
            raise BadRules(f"{function.__name__}: {error}") from None
        try:
            return function(*given, **options)
        except (BadRules, FileNotFoundError, MemoryError):
            raise
        except Exception:
            # Over a broken document the libraries raise whatever they stumble on.
            return 0.0

    return judged


def unreadable_scores_0(function: Metric) -> Metric:
    """For OSWorld's own scoring: only a file that does not even open scores 0."""

    @functools.wraps(function)
    def judged(*given: Any, **options: Any) -> float:
        try:
            return function(*given, **options)
        except Unreadable:
            return 0.0

    return judged


def rule(rules: Any, name: str, *kinds: type) -> Any:
    """rules[name], which must be one of `kinds`. Raises BadRules."""
    if not isinstance(rules, Mapping) or name not in rules:
        raise BadRules(f"the rules have no {name!r}: {rules!r}")
    if not isinstance(rules[name], kinds):
        raise BadRules(f"{name!r} is {rules[name]!r}, not {' or '.join(k.__name__ for k in kinds)}")
    return rules[name]


def one_of(value: Any, allowed: Collection[str], name: str) -> str:
    """Raises BadRules."""
    if value not in allowed:
        raise BadRules(f"{name!r} is {value!r}, not one of {', '.join(sorted(allowed))}")
    return str(value)
