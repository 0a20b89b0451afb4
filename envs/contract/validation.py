"""The first thing wrong with data, as whoever sent it is told."""

from __future__ import annotations

from typing import Any, Protocol


class Invalid(Protocol):
    """An error of pydantic or FastAPI."""

    def errors(self) -> Any:
        """Problems with `loc` and `msg`, at least one."""


def describe_first(error: Invalid, whole: str = "") -> str:
    """Place and reason, such as "limits.max_steps: Field required"; `whole` stands for the place
    where the problem is the data as a whole."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or whole
    return f"{where}: {first['msg']}"
