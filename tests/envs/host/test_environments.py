"""An environment ends with its host."""

from __future__ import annotations

import psutil
import pytest

from envs.contract.actions import Scroll
from envs.contract.observations import Observe
from envs.providers.local import local_host
from tasksets.registry import get_gym
from tests.processes import left_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TASK = get_gym("shop").make_task("price", 1)


async def test_nothing_runs_on_when_the_context_ends() -> None:
    me = psutil.Process()
    before = set(me.children(recursive=True))
    started: set[psutil.Process] = set()

    async def use() -> None:
        async with local_host() as client:
            session = await client.open()
            await session.reset(TASK, Observe())
            await session.step([Scroll(dy=1)], Observe())
            started.update(set(me.children(recursive=True)) - before)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await use()
    assert len(started) >= 3
    assert not left_of(started)
