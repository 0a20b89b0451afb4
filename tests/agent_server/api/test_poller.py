"""One reader for all clients, who are woken by changes only."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest
from sqlalchemy.exc import OperationalError

from agent_server.api.poller import Poller

EVERY_S = 0.01
LIMIT_S = 60.0


class Source:
    """Values by key, and what was read of them."""

    def __init__(self, **values: int) -> None:
        self.values = values
        self.reads: list[set[str]] = []
        self.is_away = False

    def load(self, keys: Collection[str]) -> dict[str, int]:
        self.reads.append(set(keys))
        if self.is_away:
            raise OperationalError("select", {}, Exception("it is away"))
        return {key: self.values[key] for key in keys if key in self.values}


async def wait_for_reads(source: Source, reads: int) -> None:
    """So many reads more."""
    goal = len(source.reads) + reads
    async with asyncio.timeout(LIMIT_S):
        while len(source.reads) < goal:
            await asyncio.sleep(EVERY_S)


async def test_all_clients_of_all_keys_share_one_read() -> None:
    source = Source(a=1, b=1)
    poller = Poller(source.load, EVERY_S)
    seen: list[int] = []

    async def client(key: str) -> None:
        async for value in poller.follow(key, LIMIT_S):
            seen.append(value)
            if value == 2:
                return

    clients = [asyncio.create_task(client(key)) for key in "ab" * 50]
    async with asyncio.timeout(LIMIT_S):
        while len(seen) < 100:
            await asyncio.sleep(EVERY_S)
        few = len(source.reads)
        assert few < 100, "as many as there are clients would be too many"
        await wait_for_reads(source, 10)
        assert len(seen) == 100, "nothing has changed, so nobody is woken"
        source.values.update(a=2, b=2)
        await asyncio.gather(*clients)
    assert sorted(seen) == [1] * 100 + [2] * 100
    assert source.reads[-1] == {"a", "b"}
    reads = len(source.reads)
    await asyncio.sleep(20 * EVERY_S)
    assert len(source.reads) <= reads + 1, "nobody follows"


async def test_a_client_that_comes_later_gets_the_value_at_once() -> None:
    source = Source(a=1)
    poller = Poller(source.load, LIMIT_S)
    async with asyncio.timeout(LIMIT_S / 2):
        first = aiter(poller.follow("a", LIMIT_S))
        assert await anext(first) == 1
        second = aiter(poller.follow("a", LIMIT_S))
        assert await anext(second) == 1
        third = aiter(poller.follow("b", LIMIT_S))
        with pytest.raises(StopAsyncIteration):
            await anext(third)
    for follower in (first, second, third):
        await follower.aclose()
    await poller.close()


async def test_a_database_that_is_away_is_waited_for() -> None:
    source = Source(a=1)
    poller = Poller(source.load, EVERY_S)
    async with asyncio.timeout(LIMIT_S):
        follower = aiter(poller.follow("a", LIMIT_S))
        assert await anext(follower) == 1
        source.is_away = True
        await wait_for_reads(source, 3)
        source.is_away, source.values["a"] = False, 2
        assert await anext(follower) == 2
    await follower.aclose()
    await poller.close()


async def test_a_follower_leaves_after_its_time() -> None:
    poller = Poller(Source(a=1).load, EVERY_S)
    async with asyncio.timeout(LIMIT_S):
        assert [value async for value in poller.follow("a", 0.1)] == [1]
    await poller.close()


def test_another_event_loop_begins_anew() -> None:
    """As tests have that call the application without a server."""
    source = Source(a=1)
    poller = Poller(source.load, EVERY_S)

    async def follow() -> list[int]:
        async with asyncio.timeout(LIMIT_S):
            async for value in poller.follow("a", LIMIT_S):
                return [value]
        return []

    assert [asyncio.run(follow()) for _ in range(3)] == [[1]] * 3
