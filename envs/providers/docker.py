"""Hosts in Docker containers: a pool of warm, sandboxed boxes.

    async with DockerProvider(DockerConfig(env="desktop", size=4)) as provider:
        async with provider.lease() as host: ...

Guarantees: never more than `size` boxes; a lease gets a box whose host answers now; a box that does
not answer, or whose lease ended with an exception, is replaced. When the context ends all of the
run's containers and its network are gone, also after an exception; what a killed process left is
removed by the next provider that starts. What a box may do is said in envs/providers/boxes.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from envs.client import HostBusy, HostClient
from envs.contract.outcomes import EpisodeFault
from envs.host.guard import digest_of
from envs.providers.boxes import Box, Boxes, DockerConfig, reap_orphans
from envs.providers.local import wait_healthy

T = TypeVar("T")
HEALTH_TIMEOUT_S = 5.0
LOOK_S = 2.0
"""How long a box that starts is waited for before it is asked whether it still runs."""


@dataclass(slots=True)
class _BoxPlace:
    """A place for one box; empty until one started, and after one was given up."""

    box: Box | None = None
    client: HostClient | None = None


class DockerProvider:
    """Use as an async context manager. Entering raises EpisodeFault(HOST_START)."""

    def __init__(self, config: DockerConfig) -> None:
        self.config = config
        self.run = secrets.token_hex(6)
        self.started = 0
        self._free: asyncio.Queue[_BoxPlace] = asyncio.Queue()
        self._places = [_BoxPlace() for _ in range(config.size)]
        self._refills: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="docker")
        self._boxes: Boxes | None = None

    async def __aenter__(self) -> DockerProvider:
        try:
            await self._blocking(reap_orphans)
            self._boxes = await self._blocking(lambda: Boxes(self.config, self.run))
            await self._blocking(self._boxes.open)
            async with asyncio.TaskGroup() as starts:
                for place in self._places:
                    starts.create_task(self._fill(place))
        except BaseException as error:
            await asyncio.shield(self._close())
            if isinstance(error, BaseExceptionGroup):
                raise error.exceptions[0] from error
            raise
        for place in self._places:
            self._free.put_nowait(place)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(self._close())

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[HostClient]:
        """A box of one's own; waits while all are leased. Raises EpisodeFault(HOST_START) where a
        box has to be started first and cannot be."""
        place = await self._free.get()
        try:
            yield await self._connect_healthy(place)
        except BaseException:
            self._replace(place)
            raise
        if self.config.reuse:
            self._free.put_nowait(place)
        else:
            self._replace(place)

    async def _connect_healthy(self, place: _BoxPlace) -> HostClient:
        if place.client is not None and not await _answers(place.client):
            await self._empty(place)
        if place.client is None:
            await self._fill(place)
        assert place.client is not None
        return place.client

    def _replace(self, place: _BoxPlace) -> None:
        task = asyncio.create_task(self._renew(place))
        self._refills.add(task)
        task.add_done_callback(self._refills.discard)

    async def _renew(self, place: _BoxPlace) -> None:
        """The place comes back in any case: if no box starts now, the next lease tries again and is
        told why."""
        try:
            with contextlib.suppress(EpisodeFault):
                await self._empty(place)
                await self._fill(place)
        finally:
            self._free.put_nowait(place)

    async def _fill(self, place: _BoxPlace) -> None:
        assert self._boxes is not None
        boxes, token = self._boxes, secrets.token_urlsafe(24)
        place.box = await self._blocking(lambda: boxes.start(digest_of(token)))
        self.started += 1
        try:
            await self._wait_healthy(place.box)
        except BaseException:
            await asyncio.shield(self._empty(place))
            raise
        place.client = HostClient(place.box.url, token)

    async def _wait_healthy(self, box: Box) -> None:
        """Raises EpisodeFault(HOST_START), at once if the box ended."""
        assert self._boxes is not None
        boxes, loop = self._boxes, asyncio.get_running_loop()
        until = loop.time() + self.config.start_timeout_s
        while True:
            try:
                return await wait_healthy(f"{box.url}/v1/health", None, LOOK_S)
            except EpisodeFault as fault:
                end_reason = await self._blocking(lambda: boxes.end_reason(box.id))
                if end_reason is not None:
                    raise EpisodeFault(fault.reason, end_reason) from fault
                if loop.time() > until:
                    raise

    async def _empty(self, place: _BoxPlace) -> None:
        assert self._boxes is not None
        box, client, boxes = place.box, place.client, self._boxes
        place.box = place.client = None
        if client is not None:
            await client.close()
        if box is not None:
            await self._blocking(lambda: boxes.remove(box.id))

    async def _close(self) -> None:
        for task in self._refills:
            task.cancel()
        await asyncio.gather(*self._refills, return_exceptions=True)
        for place in self._places:
            if place.client is not None:
                await place.client.close()
        # A call to Docker that was given up still runs in its thread: what it makes goes, too.
        await asyncio.to_thread(self._threads.shutdown)
        if self._boxes is not None:
            await asyncio.to_thread(self._boxes.close)

    async def _blocking(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


async def _answers(client: HostClient) -> bool:
    try:
        async with asyncio.timeout(HEALTH_TIMEOUT_S):
            return (await client.health()).get("status") == "ok"
    except (EpisodeFault, HostBusy, TimeoutError):
        return False
