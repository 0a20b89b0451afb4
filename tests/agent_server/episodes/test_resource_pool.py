"""Resources are bounded, lent to one at a time, and replaced where a borrower failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from agent_server.episodes.resource_pool import PoolBusy, ResourcePool


class Counter:
    """Opens numbered resources, and notes which were closed."""

    def __init__(self) -> None:
        self.opened, self.closed = 0, list[int]()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        self.opened += 1
        number = self.opened
        yield number
        self.closed.append(number)


async def test_no_more_than_its_size_are_open_and_each_has_one_borrower() -> None:
    counter, lent = Counter(), set[int]()
    pool = ResourcePool(counter.open, size=3)

    async def borrow() -> None:
        async with pool.lend() as resource:
            assert resource not in lent
            lent.add(resource)
            await asyncio.sleep(0.001)
            lent.remove(resource)

    await asyncio.gather(*(borrow() for _ in range(20)))
    assert counter.opened == 3
    await pool.close()
    assert sorted(counter.closed) == [1, 2, 3]


async def test_one_whose_borrower_raised_is_replaced() -> None:
    counter = Counter()
    pool = ResourcePool(counter.open, size=1)
    with pytest.raises(KeyError):
        async with pool.lend():
            raise KeyError("borrower")
    assert counter.closed == [1]
    async with pool.lend() as resource:
        assert resource == 2


async def test_waiting_ends() -> None:
    pool = ResourcePool(Counter().open, size=1, wait_s=0.01)
    async with pool.lend():
        with pytest.raises(PoolBusy, match="none of 1 resources became free within"):
            async with pool.lend():
                pass


async def test_what_is_lent_when_the_pool_closes_is_closed_when_it_comes_back() -> None:
    counter = Counter()
    pool = ResourcePool(counter.open, size=1)
    async with pool.lend():
        await pool.close()
        assert counter.closed == []
    assert counter.closed == [1]
    with pytest.raises(PoolBusy, match="closed"):
        async with pool.lend():
            pass


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ResourcePool(Counter().open, size=0)
