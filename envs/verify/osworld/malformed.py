"""What an agent produced may be anything: a file that cannot be read scores 0."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from envs.verify.registry import Metric


def scores_0_on(*errors: type[Exception]) -> Callable[[Metric], Metric]:
    """The metric gives 0 where reading what it judges raises one of these."""

    def guard(function: Metric) -> Metric:
        @functools.wraps(function)
        def guarded(*given: Any, **options: Any) -> float:
            try:
                return function(*given, **options)
            except errors:
                return 0.0

        return guarded

    return guard
