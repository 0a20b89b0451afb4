"""Publishing in the background of collection: one piece of work at a time, beside the event loop's
other work.

Guarantees: a piece of work that failed raises where the learner waits for it, before its next step;
nothing of it is left running after `close`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class Publisher:
    """Publishes, swaps and saves what a learner step has made, while episodes are collected."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether the last piece of work has ended, well or not."""
        return self._task is None or self._task.done()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Starts the work. The one before must have been waited for."""
        if self._task is not None:
            work.close()
            raise RuntimeError("the work before was not waited for")
        self._task = asyncio.create_task(work)

    async def settle(self) -> None:
        """Waits for the work and raises what it raised."""
        if self._task is not None:
            await self._task
            self._task = None

    async def close(self) -> None:
        """Ends the work; a swap is completed first (see `Swapper`)."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None
