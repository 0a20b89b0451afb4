"""What is wrong with data, as whoever sent it is told."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

MOST_SUGGESTIONS = 3
NEAR = 0.7
"""Share of letters in common from which a name is near enough to be meant. Two random ids have
0.6."""


class Invalid(Protocol):
    """An error of pydantic or FastAPI."""

    def errors(self) -> Any:
        """Problems with `loc` and `msg`, at least one."""


def describe_first(error: Invalid, whole: str = "") -> str:
    """Place and reason, such as "limits.max_steps: Field required"; `whole` stands for the place
    where the problem is the data as a whole."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or whole
    message: str = first["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def describe_unusable(error: Invalid | OSError) -> str:
    """Why a file or a line of it cannot be used: it cannot be read, or is not valid."""
    return str(error) if isinstance(error, OSError) else describe_first(error)


def suggest_names(name: str, known: Iterable[str]) -> str:
    """The known names that a mistyped one is near to, such as " (did you mean shop?)"; empty where
    none is."""
    by_lower = {each.lower(): each for each in known}
    near = difflib.get_close_matches(name.lower()[:100], by_lower, MOST_SUGGESTIONS, NEAR)
    return f" (did you mean {' or '.join(by_lower[each] for each in near)}?)" if near else ""


def suggest_files(path: Path) -> str:
    """As `suggest_names`, among what is in the folder of a path that does not exist."""
    neighbours = path.parent.iterdir() if path.parent.is_dir() else ()
    return suggest_names(path.name, [each.name for each in neighbours])
