"""A running stack as its users see it, whoever runs its parts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from agent_server.policy.swap_all import VersionSwapper
from agent_server.settings import Settings

T = TypeVar("T")


class RunningStack(Protocol):
    """`Stack` runs the parts as child processes, `Services` uses parts that others run.

    An async context manager; the attributes are valid inside the context."""

    @property
    def settings(self) -> Settings:
        """Settings of the workers and the API."""
        ...

    @property
    def swapper(self) -> VersionSwapper | None:
        """Loads policy versions; None without a policy server."""
        ...

    @property
    def api_url(self) -> str | None:
        """Base URL of an API that this stack started."""
        ...

    @property
    def failure(self) -> asyncio.Future[None] | None:
        """Gets an exception when a part has failed for good."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


async def run_until_failure(
    work: Coroutine[Any, Any, T], failure: asyncio.Future[None] | None
) -> T:
    """The result of the work. When `failure`, a stack's, is done first, the work is cancelled and
    its error raised: without a part of the stack, the work would wait for ever."""
    task = asyncio.ensure_future(work)
    futures: set[asyncio.Future[Any]] = {task}
    if failure is not None:
        futures.add(failure)
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
        if failure is not None and failure.done():
            failure.result()
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
