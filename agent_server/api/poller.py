"""What clients follow, read once for all of them.

Guarantees: one reader a process, whatever the number of clients; it reads all followed keys in one
call, rests at least as long as it reads, and stops when nobody follows. A client is woken only when
its value has changed. A database that is away is waited for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger(__name__)

Value = TypeVar("Value")


@dataclass(slots=True)
class _Feed(Generic[Value]):
    """One key. `count`: values so far; none: nothing was read yet."""

    value: Value | None = None
    count: int = 0
    followers: int = 0
    is_gone: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, value: Value | None) -> None:
        """Wake the followers if the value is another one; None: the key is gone."""
        if value is None:
            self.is_gone = True
        elif self.count and value == self.value:
            return
        self.value, self.count = value, self.count + 1
        self.changed.set()
        self.changed = asyncio.Event()


class Poller(Generic[Value]):
    """`load` gives the values of keys; it runs in a thread, every `every_s` seconds."""

    def __init__(
        self, load: Callable[[Collection[str]], Mapping[str, Value]], every_s: float
    ) -> None:
        self._load = load
        self._every_s = every_s
        self._feeds: dict[str, _Feed[Value]] = {}
        self._wake = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def follow(self, key: str, limit_s: float) -> AsyncGenerator[Value, None]:
        """The value, and again each time that it has changed; ends after `limit_s`, or when the key
        is gone."""
        deadline = time.monotonic() + limit_s
        self._begin_on_this_loop()
        feeds = self._feeds
        feed = feeds.setdefault(key, _Feed())
        feed.followers += 1
        self._wake.set()
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(feeds, self._wake), name="poller")
        count = 0
        try:
            while not feed.is_gone:
                if feed.count == count:
                    async with asyncio.timeout(deadline - time.monotonic()):
                        await feed.changed.wait()
                    continue
                count = feed.count
                if feed.value is not None:
                    yield feed.value
        except TimeoutError:
            return
        finally:
            feed.followers -= 1
            if not feed.followers:
                feeds.pop(key, None)

    def _begin_on_this_loop(self) -> None:
        """Events and tasks belong to one event loop; another one (of a test) begins anew."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._feeds, self._wake, self._reader = loop, {}, asyncio.Event(), None

    async def close(self) -> None:
        """End the reader; who still follows waits in vain."""
        if self._reader is not None and self._loop is asyncio.get_running_loop():
            self._reader.cancel()
            await asyncio.wait({self._reader})

    async def _read(self, feeds: dict[str, _Feed[Value]], wake: asyncio.Event) -> None:
        while feeds:
            keys, started = list(feeds), time.monotonic()
            wake.clear()
            try:
                values = await asyncio.to_thread(self._load, keys)
            except SQLAlchemyError as error:
                log.warning("what clients follow cannot be read, trying again: %s", error)
            except Exception:
                # Without a reader all clients would wait, and nobody would notice.
                log.exception("what clients follow cannot be read, trying again")
            else:
                for key in keys:
                    if key in feeds:
                        feeds[key].tell(values.get(key))
            rest_s = max(self._every_s, time.monotonic() - started)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), rest_s)
