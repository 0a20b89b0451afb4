"""Work in a thread that an interrupt waits for: a thread cannot be stopped, and it would go on
changing what whoever handles the interrupt reads or writes next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `asyncio.to_thread`, but a cancellation is raised when the thread has ended. An error of
    the work comes before the cancellation."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await running
        raise
