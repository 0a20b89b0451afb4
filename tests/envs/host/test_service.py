"""The host process and its client: keys, leases, capacity, calls that run once, faults by name."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator

import aiohttp
import psutil
import pytest
import pytest_asyncio

from envs.client import HostClient
from envs.contract.actions import Done, Scroll
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.gyms.server.rejudge import rejudge
from envs.providers.local import local_host
from envs.state.gym_evidence import unpack
from tasksets.registry import get_gym
from tests.processes import left_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
TASK = get_gym("shop").make_task("price", 1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncIterator[HostClient]:
    async with local_host() as client:
        yield client


@contextlib.asynccontextmanager
async def raw(host: HostClient, token: bool = True) -> AsyncIterator[aiohttp.ClientSession]:
    headers = host._client.headers if token else {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(host.base_url, headers=headers) as http:
        yield http


async def test_the_token_is_required(host: HostClient) -> None:
    async with raw(host, token=False) as http:
        for path in ("/v1/sessions", "/v1/sessions/x/step"):
            async with http.post(path, data=b"{}") as reply:
                assert reply.status == 401
        async with http.get("/v1/health") as reply:
            assert (await reply.json())["status"] == "ok"


async def test_bad_requests_are_problems_that_name_the_field(host: HostClient) -> None:
    session = await host.open()
    step = f"{session.path}/step"
    async with raw(host) as http:
        async with http.post(step, data=b'{"actions": [{"type": "fly"}]}') as reply:
            assert reply.status == 422
            assert "actions.0" in (await reply.json())["detail"]
        async with http.post(step, data=b"not json") as reply:
            assert reply.status == 422
        async with http.post("/v1/sessions/none/step", data=b'{"actions": []}') as reply:
            assert reply.status == 404
        async with http.post(step, data=b"x" * 40_000_000) as reply:
            assert reply.status == 413
    await session.close()


async def test_an_episode_over_http(host: HostClient) -> None:
    session = await host.open()
    reply = await session.reset(TASK, Observe())
    assert reply.observation.tree is not None
    oracle, observation = get_gym("shop").oracle(TASK), reply.observation
    answer = None
    for _ in range(10):
        action = oracle.move(observation).action
        if isinstance(action, Done):
            answer = action.answer
            break
        stepped = await session.step([action], Observe())
        assert stepped.results[0].ok
        observation = stepped.observation
    assert (await session.evaluate("nonsense")).score < 1
    kept: list[bytes] = []
    verdict = await session.evaluate(answer, keep=kept.append)
    again = unpack(kept[0])
    assert verdict.success
    assert again is not None
    assert rejudge(again) == verdict
    await session.close()


async def test_equal_tasks_begin_equal(host: HostClient) -> None:
    first_session, two = await host.open(), await host.open()
    first, second = await first_session.reset(TASK, Observe()), await two.reset(TASK, Observe())
    assert first.state_hash == second.state_hash
    assert first.observation.hash == second.observation.hash
    await asyncio.gather(first_session.close(), two.close())


async def test_a_repeated_request_runs_once(host: HostClient) -> None:
    session = await host.open()
    await session.reset(TASK, Observe())
    body = b'{"actions": [{"type": "tab", "op": "new"}], "observe": {"windows": true}}'
    windows = []
    async with raw(host) as http:
        for request_id in ("a", "a", "b"):
            headers = {"x-request-id": request_id}
            path = f"{session.path}/step"
            async with http.post(path, data=body, headers=headers) as reply:
                windows.append(len((await reply.json())["observation"]["windows"]))
    assert windows == [2, 2, 3]
    await session.close()


async def test_a_lease_that_nobody_renews_is_closed(host: HostClient) -> None:
    async with raw(host) as http:
        async with http.post("/v1/sessions", json={"env": "browser", "ttl_s": 1}) as reply:
            lease = (await reply.json())["id"]
        async with asyncio.timeout(20):
            while True:
                async with http.post(f"/v1/sessions/{lease}/step", json={"actions": []}) as reply:
                    if reply.status == 404:
                        break
                await asyncio.sleep(1.3)


async def test_closing_twice_is_fine_and_a_closed_session_is_lost(host: HostClient) -> None:
    session = await host.open()
    await session.close()
    await session.close()
    with pytest.raises(EpisodeFault) as fault:
        await session.step([Scroll(dy=1)], Observe())
    assert fault.value.reason is InvalidReason.HOST_LOST


async def test_schema_and_tools_are_published(host: HostClient) -> None:
    async with raw(host) as http:
        async with http.get("/v1/schema") as reply:
            assert "click" in str(await reply.json())
        async with http.get("/v1/tools") as reply:
            assert "browser.read_table" in str(await reply.json())


async def test_faults_come_through_with_their_reason(host: HostClient) -> None:
    session = await host.open()
    task = TASK.model_copy(update={"gym": None, "start_url": "http://127.0.0.1:1/"})
    with pytest.raises(EpisodeFault) as fault:
        await session.reset(task, Observe())
    assert fault.value.reason is InvalidReason.UNRUNNABLE
    await session.close()


async def test_a_killed_host_is_lost_and_nothing_stays_behind() -> None:
    me = psutil.Process()
    before = set(me.children(recursive=True))
    async with local_host() as client:
        session = await client.open()
        await session.reset(TASK, Observe())
        started = set(me.children(recursive=True)) - before
        (host,) = [process for process in started if "envs.host" in " ".join(process.cmdline())]
        os.kill(host.pid, signal.SIGKILL)
        with pytest.raises(EpisodeFault) as fault:
            await session.step([Scroll(dy=1)], Observe())
        assert fault.value.reason is InvalidReason.HOST_LOST
    assert not left_of(started, timeout_s=15)
