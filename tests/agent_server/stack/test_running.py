"""Work on a stack ends with its own result, or when a part of the stack fails for good."""

from __future__ import annotations

import asyncio

import pytest

from agent_server.stack.running import run_until_failure


def new_failure() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


async def test_the_result_of_the_work_is_returned() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert await run_until_failure(work(), new_failure()) == 7
    assert await run_until_failure(work(), None) == 7


async def test_a_part_that_fails_for_good_cancels_the_work() -> None:
    cancelled = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    failure = new_failure()
    asyncio.get_running_loop().call_soon(
        failure.set_exception, RuntimeError("the policy server does not start")
    )
    with pytest.raises(RuntimeError, match="does not start"):
        await run_until_failure(work(), failure)
    assert cancelled == [True]


async def test_an_error_of_the_work_is_raised() -> None:
    async def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_until_failure(work(), None)


async def test_cancelling_the_caller_cancels_the_work() -> None:
    started = asyncio.Event()

    async def work() -> None:
        started.set()
        await asyncio.sleep(60)

    caller = asyncio.create_task(run_until_failure(work(), new_failure()))
    await started.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
