"""A bounded pool of async resources: connections, browsers, interpreters that episodes lend.

Guarantees: at most `size` are open, each is lent to one borrower at a time, opened when first
needed; one whose borrower raised is closed and not lent again; waiting ends after `wait_s`; `close`
closes all of them, and later borrowers are refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

Open = Callable[[], AbstractAsyncContextManager[Any]]


class PoolBusy(Exception):
    """No resource became free in time, or the pool is closed; the message says which."""


class ResourcePool:
    """Used on one event loop."""

    def __init__(self, open_resource: Open, size: int, wait_s: float = 60.0) -> None:
        if size < 1:
            raise ValueError(f"a pool needs at least one resource, not {size}")
        self._open, self._size, self._wait_s = open_resource, size, wait_s
        self._room = asyncio.Semaphore(size)
        self._idle: list[tuple[AbstractAsyncContextManager[Any], Any]] = []
        self._closed = False

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Any]:
        """A resource for one borrower. Raises PoolBusy, and whatever opening one raises."""
        try:
            async with asyncio.timeout(self._wait_s):
                await self._room.acquire()
        except TimeoutError:
            message = f"none of {self._size} resources became free within {self._wait_s:g} s"
            raise PoolBusy(message) from None
        try:
            if self._closed:
                raise PoolBusy("the pool is closed")
            manager, resource = self._idle.pop() if self._idle else await self._enter()
            try:
                yield resource
            except BaseException:
                # Nobody knows in which state it is: a cancelled borrower leaves half a request.
                await manager.__aexit__(None, None, None)
                raise
            if self._closed:
                await manager.__aexit__(None, None, None)
            else:
                self._idle.append((manager, resource))
        finally:
            self._room.release()

    async def close(self) -> None:
        """Close what is idle now, and what is lent when it comes back."""
        self._closed = True
        while self._idle:
            manager, _ = self._idle.pop()
            await manager.__aexit__(None, None, None)

    async def _enter(self) -> tuple[AbstractAsyncContextManager[Any], Any]:
        manager = self._open()
        return manager, await manager.__aenter__()
