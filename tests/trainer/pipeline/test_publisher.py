"""Work in the background of collection is waited for, raises where it is, and is never left."""

from __future__ import annotations

import asyncio

import pytest

from trainer.pipeline.publisher import Publisher


async def test_work_goes_on_until_it_is_waited_for() -> None:
    events: list[str] = []

    async def work() -> None:
        events.append("begun")
        await asyncio.sleep(0)
        events.append("done")

    publisher = Publisher()
    assert publisher.is_idle
    publisher.start(work())
    assert not publisher.is_idle
    with pytest.raises(RuntimeError, match="not waited for"):
        publisher.start(work())
    await publisher.settle()
    assert (events, publisher.is_idle) == (["begun", "done"], True)
    await publisher.settle()


async def test_what_failed_raises_once_where_it_is_waited_for() -> None:
    async def work() -> None:
        raise OSError("the disk is full")

    publisher = Publisher()
    publisher.start(work())
    await asyncio.sleep(0)
    assert publisher.is_idle, "the learner need not poll any longer to hear of it"
    with pytest.raises(OSError, match="disk is full"):
        await publisher.settle()
    await publisher.close()


async def test_nothing_is_left_after_a_stop() -> None:
    stopped = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    publisher = Publisher()
    publisher.start(work())
    await asyncio.sleep(0)
    await publisher.close()
    assert stopped.is_set()
    assert publisher.is_idle
