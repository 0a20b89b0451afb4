"""What a task changed on the desktop outside its home folder, and how to take it back.

Guarantees: `run` does what was noted since the last `run`, the latest first, and forgets it. One
desktop a process, hence one list a process.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

_steps: dict[str, Callable[[], Awaitable[None]]] = {}


def register_undo(what: str, step: Callable[[], Awaitable[None]]) -> None:
    """Notes how to take a change back. The first note for `what` counts: it knows the original."""
    _steps.setdefault(what, step)


async def run() -> int:
    """Once the home folder is restored. How many changes were taken back."""
    count = 0
    while _steps:
        _, step = _steps.popitem()
        await step()
        count += 1
    return count
