"""Work in a thread that a cancellation waits for.

A thread cannot be stopped: without waiting, it would go on changing what the handler of the
cancellation reads or writes next, e.g. a checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `asyncio.to_thread`, but a cancellation is raised only when the thread has ended. An error
    of the work takes precedence over the cancellation."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await running
        raise
