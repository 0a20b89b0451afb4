"""A worker finds its hosts again, and lends no session that is dead."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from agent_server.worker import hosts
from agent_server.worker.hosts import addresses
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Session
from envs.contract.task import Env
from envs.providers.local import free_port
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker.toy_hosts import toy_host, worker
from tests.names import resolve_names

LONG_S = 90.0


async def begin(session: Session) -> None:
    await session.reset(toy_task(), Observe())


@pytest.mark.parametrize("env", ["browser", "desktop"])
async def test_hosts_that_moved_behind_their_name_are_found_again(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"hosts.test": ["127.0.0.2", "127.0.0.3"]}
    resolve_names(monkeypatch, names)
    port = free_port()
    url = f"http://hosts.test:{port}"
    async with contextlib.AsyncExitStack() as before:
        for address in names["hosts.test"]:
            await before.enter_async_context(toy_host(env, address, port))
        backends = await before.enter_async_context(contextlib.AsyncExitStack())
        mine = await backends.enter_async_context(worker(url, env=env))
        async with mine.session(env) as session:
            await begin(session)
        moved = backends.pop_all()
    async with moved, toy_host(env, "127.0.0.4", port) as (_, environment):
        names["hosts.test"] = ["127.0.0.4", "127.0.0.5"]
        async with asyncio.timeout(LONG_S), mine.session(env) as session:
            await begin(session)
        assert environment.lent == 1


async def test_a_host_that_came_is_used_and_one_that_left_ends_its_sessions_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosts, "RESOLVE_S", 0.0)
    names = {"hosts.test": ["127.0.0.2"]}
    resolve_names(monkeypatch, names)
    port = free_port()
    async with (
        toy_host("desktop", "127.0.0.2", port) as (_, first),
        toy_host("desktop", "127.0.0.3", port) as (_, second),
        toy_host("desktop", "127.0.0.4", port) as (_, third),
        worker(f"http://hosts.test:{port}") as mine,
        asyncio.timeout(LONG_S),
        mine.session("desktop"),
    ):
        names["hosts.test"] = ["127.0.0.2", "127.0.0.3"]
        async with mine.session("desktop") as session:
            names["hosts.test"] = ["127.0.0.2", "127.0.0.4"]
            async with mine.session("desktop"):
                assert (first.lent, second.lent, third.lent) == (1, 1, 1)
                await begin(session)


async def test_a_name_server_that_is_away_costs_no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "RESOLVE_S", 0.0)
    names = {"hosts.test": ["127.0.0.2", "127.0.0.3"]}
    resolve_names(monkeypatch, names)
    port = free_port()
    async with (
        toy_host("desktop", "127.0.0.2", port) as (_, first),
        toy_host("desktop", "127.0.0.3", port) as (_, second),
        worker(f"http://hosts.test:{port}") as mine,
        asyncio.timeout(LONG_S),
        mine.session("desktop"),
    ):
        names["hosts.test"] = []
        async with mine.session("desktop"):
            assert (first.lent, second.lent) == (1, 1)


async def test_a_kept_session_whose_host_was_started_again_costs_no_attempt() -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with toy_host("browser") as (url, environment):
            mine = await stack.enter_async_context(worker(url, env="browser"))
            for _ in range(2):
                async with mine.session("browser") as session:
                    await begin(session)
            assert environment.lent == 1, "it is kept"
        async with toy_host("browser", port=int(url.rsplit(":", 1)[1])) as (_, again):
            async with asyncio.timeout(LONG_S), mine.session("browser") as session:
                await begin(session)
            assert again.lent == 1


async def test_a_host_that_is_away_for_a_while_costs_no_attempt() -> None:
    port = free_port()
    taken = asyncio.Event()

    async def episode() -> None:
        async with mine.session("desktop") as session:
            await begin(session)
            taken.set()

    async with worker(f"http://127.0.0.1:{port}") as mine:
        running = asyncio.create_task(episode())
        await asyncio.sleep(0)
        async with toy_host("desktop", port=port), asyncio.timeout(LONG_S):
            await running
    assert taken.is_set()


async def test_a_host_that_stays_away_is_a_lost_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "OPEN_TIMEOUT_S", 0.5)
    async with worker(f"http://127.0.0.1:{free_port()}") as mine:
        with pytest.raises(EpisodeFault) as fault:
            async with mine.session("desktop"):
                pass
    assert fault.value.reason is InvalidReason.HOST_LOST


async def test_a_host_that_refuses_the_token_is_asked_once() -> None:
    async with toy_host("desktop") as (url, _), worker(url, token="wrong") as mine:
        with pytest.raises(EpisodeFault, match="401") as fault:
            async with asyncio.timeout(LONG_S), mine.session("desktop"):
                pass
    assert fault.value.reason is InvalidReason.OBSERVATION


def test_a_name_with_one_address_stays_a_name() -> None:
    assert addresses("http://127.0.0.1:80") == ["http://127.0.0.1:80"]
