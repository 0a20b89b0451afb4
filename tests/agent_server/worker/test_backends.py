"""Which host a worker's episode gets."""

from __future__ import annotations

import asyncio

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.providers.local import free_port
from tests.agent_server.worker.toy_hosts import toy_host, worker


async def test_a_desktop_that_another_worker_uses_is_passed_over() -> None:
    async with (
        toy_host() as (first, one),
        toy_host() as (second, other),
        worker(first, second) as mine,
        worker(first, second) as theirs,
        theirs.session("desktop"),
        asyncio.timeout(5),
        mine.session("desktop"),
    ):
        assert (one.lent, other.lent) == (1, 1)


async def test_a_desktop_is_given_back_after_its_episode() -> None:
    async with toy_host() as (url, desktop), worker(url) as mine, worker(url) as theirs:
        with pytest.raises(ZeroDivisionError):
            async with mine.session("desktop"):
                raise ZeroDivisionError
        async with asyncio.timeout(5), theirs.session("desktop"):
            assert desktop.lent == 2


async def test_a_desktop_that_cannot_be_reached_is_passed_over() -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    async with toy_host() as (url, desktop), worker(gone, url) as mine:
        for count in (1, 2):
            async with mine.session("desktop"):
                assert desktop.lent == count


async def test_without_a_host_the_variable_is_named() -> None:
    async with worker() as mine:
        for env, variable in (("browser", "DESKHAND_HOST"), ("desktop", "DESKHAND_DESKTOP")):
            with pytest.raises(EpisodeFault, match=f"{variable}_URLS"):
                async with mine.session(env):  # type: ignore[arg-type]
                    pass
