"""What an agent has made may be broken in any way; what a task file says may not.

Guarantees: a metric under `broken_scores_0` gives 0 for a file that cannot be read or understood,
and raises BadRules for rules or options that are wrong, whatever the file is like.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, ParamSpec

from envs.osworld.outside.metric_modules import Metric

Given = ParamSpec("Given")


class BadRules(ValueError):
    """The task file's rules or options are wrong."""


class Unreadable(ValueError):
    """The file is not what it should be."""


def broken_scores_0(function: Metric) -> Metric:
    """The metric gives 0 for any error of reading; wrong arguments raise BadRules."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def score_or_0(*arguments: Any, **options: Any) -> float:
        try:
            signature.bind(*arguments, **options)
        except TypeError as error:
            raise BadRules(f"{function.__name__}: {error}") from None
        try:
            return function(*arguments, **options)
        except (BadRules, FileNotFoundError, MemoryError):
            raise
        except Exception:
            # Over a broken document the libraries raise whatever they stumble on.
            return 0.0

    return score_or_0


def scores_0_on(*errors: type[Exception]) -> Callable[[Metric], Metric]:
    """The metric gives 0 where reading what it judges raises one of these."""

    def guard(function: Metric) -> Metric:
        @functools.wraps(function)
        def score_or_0(*arguments: Any, **options: Any) -> float:
            try:
                return function(*arguments, **options)
            except errors:
                return 0.0

        return score_or_0

    return guard


def unreadable_scores_0(function: Callable[Given, float]) -> Callable[Given, float]:
    """The metric gives 0 only for a file that its reader calls Unreadable."""
    return scores_0_on(Unreadable)(function)


def read_text(path: Path) -> str:
    """UTF-8 text with any kind of line ends. Raises Unreadable."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(str(error)) from error


def get_rule(rules: Any, name: str, *kinds: type) -> Any:
    """rules[name], which must be one of `kinds`. Raises BadRules."""
    if not isinstance(rules, Mapping) or name not in rules:
        raise BadRules(f"the rules have no {name!r}: {rules!r}")
    if not isinstance(rules[name], kinds):
        raise BadRules(f"{name!r} is {rules[name]!r}, not {' or '.join(k.__name__ for k in kinds)}")
    return rules[name]


def require_one_of(value: Any, allowed: Collection[str], name: str) -> str:
    """Raises BadRules."""
    if value not in allowed:
        raise BadRules(f"{name!r} is {value!r}, not one of {', '.join(sorted(allowed))}")
    return str(value)
