"""Threads of a run and its interruption."""

from __future__ import annotations

import asyncio
import threading

import pytest

from trainer.threads import in_thread


async def test_an_interrupt_is_raised_after_the_thread_has_ended() -> None:
    entered, release, written = threading.Event(), threading.Event(), []

    def work() -> None:
        entered.set()
        assert release.wait(10)
        written.append("all")

    task = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(entered.wait, 10)
    task.cancel()
    await asyncio.sleep(0.05)
    assert not task.done(), "the thread still writes"
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 10)
    assert written == ["all"]


async def test_an_error_of_the_work_comes_before_the_interrupt() -> None:
    entered, release = threading.Event(), threading.Event()

    def work() -> None:
        entered.set()
        release.wait(10)
        raise OSError("the disk is full")

    task = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(entered.wait, 10)
    task.cancel()
    release.set()
    with pytest.raises(OSError, match="disk is full"):
        await asyncio.wait_for(task, 10)
