"""Reading files that an agent may have made.

Guarantees: whatever is wrong with such a file is Unreadable, and a metric wrapped by
`unreadable_scores_zero` gives 0 for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

Given = ParamSpec("Given")


class Unreadable(Exception):
    """The file is not what its reader needs."""


def unreadable_scores_zero(function: Callable[Given, float]) -> Callable[Given, float]:
    @functools.wraps(function)
    def scored(*args: Given.args, **options: Given.kwargs) -> float:
        try:
            return function(*args, **options)
        except Unreadable:
            return 0.0

    return scored


def read_text(path: Path) -> str:
    """UTF-8 text with any kind of line ends. Raises Unreadable."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(str(error)) from error
