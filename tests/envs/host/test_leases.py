"""Leases: capacity, expiry, closing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import aiohttp
import pytest
import pytest_asyncio

from envs.browser.session import OBSERVE_LIMIT_S
from envs.client import CALL_TIMEOUT_S, COLLECT_TIMEOUT_S, HostClient
from envs.contract.actions import ACT_LIMIT_S
from envs.contract.host_api import CALL_LIMIT_S, COLLECT_LIMIT_S
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import LeasedSession
from envs.desktop.session import HELD_ANSWER_S, TREES_S
from envs.host.leases import Lease, LeaseEnded, Leases, NoCapacity
from envs.providers.local import local_host
from tasksets.registry import get_gym

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TASK = get_gym("shop").make_task("price", 1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def small() -> AsyncIterator[HostClient]:
    async with local_host(capacity=2) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="module")
async def http(small: HostClient) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(small.base_url, headers=small._client.headers) as made:
        yield made


async def sent(
    http: aiohttp.ClientSession, method: str, path: str, data: Any = None, **headers: str
) -> tuple[int, dict[str, Any]]:
    async with http.request(method, path, data=data, headers=headers) as reply:
        text = await reply.text()
        return reply.status, json.loads(text) if text.startswith("{") else {"text": text}


async def opened(http: aiohttp.ClientSession, ttl_s: float = 30) -> str:
    status, body = await sent(http, "POST", "/v1/sessions", json.dumps({"ttl_s": ttl_s}))
    assert status == 200, body
    return f"/v1/sessions/{body['id']}"


async def test_no_capacity_is_a_503_that_says_when_to_come_back(
    http: aiohttp.ClientSession,
) -> None:
    paths = [await opened(http), await opened(http)]
    async with http.post("/v1/sessions", data=b"{}") as reply:
        assert reply.status == 503
        assert reply.headers["Retry-After"] == "1"
        assert "2 sessions" in (await reply.json())["detail"]
    _, health = await sent(http, "GET", "/v1/health")
    assert (health["sessions"], health["capacity"]) == (2, 2)
    for path in paths:
        await sent(http, "DELETE", path)
    await sent(http, "DELETE", await opened(http))


async def test_deleting_is_idempotent(http: aiohttp.ClientSession) -> None:
    path = await opened(http)
    assert await sent(http, "DELETE", path) == (200, {"closed": True})
    for gone in (path, path, "/v1/sessions/never"):
        assert await sent(http, "DELETE", gone) == (200, {"closed": False})


@pytest.mark.parametrize(
    ("body", "field"), [({"env": "mainframe"}, "env"), ({"ttl_s": 0}, "ttl_s"), ({"x": 1}, "x")]
)
async def test_a_session_that_cannot_be_opened_takes_no_place(
    http: aiohttp.ClientSession, body: dict[str, Any], field: str
) -> None:
    for _ in range(3):
        status, problem = await sent(http, "POST", "/v1/sessions", json.dumps(body))
        assert status == 422
        assert field in problem["detail"]
    _, health = await sent(http, "GET", "/v1/health")
    assert health["sessions"] == 0


async def test_the_lease_of_a_session_in_use_is_kept(http: aiohttp.ClientSession) -> None:
    path = await opened(http, ttl_s=1)
    for _ in range(4):
        await asyncio.sleep(0.7)
        assert (await sent(http, "POST", f"{path}/heartbeat"))[0] == 200
    wait = {"actions": [{"type": "wait", "ms": 3000}]}
    reset = {"task": TASK.model_dump(mode="json")}
    assert (await sent(http, "POST", f"{path}/reset", json.dumps(reset)))[0] == 200
    assert (await sent(http, "POST", f"{path}/step", json.dumps(wait)))[0] == 200
    assert (await sent(http, "DELETE", path))[1] == {"closed": True}


async def test_closing_breaks_the_call_off_and_those_that_wait(http: aiohttp.ClientSession) -> None:
    path = await opened(http)
    await sent(http, "POST", f"{path}/reset", json.dumps({"task": TASK.model_dump(mode="json")}))
    body = json.dumps({"actions": [{"type": "wait", "ms": 10_000}] * 2})
    steps = [asyncio.create_task(sent(http, "POST", f"{path}/step", body)) for _ in range(2)]
    await asyncio.sleep(0.3)
    assert (await sent(http, "DELETE", path))[1] == {"closed": True}
    _, health = await sent(http, "GET", "/v1/health")
    assert health["sessions"] == 0
    for status, problem in await asyncio.gather(*steps):
        assert (status, problem["title"]) == (404, "No such session")


class EndlessSession:
    """A session whose step goes on until it is broken off, and then takes its time."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.is_begun = asyncio.Event()
        self.may_end = asyncio.Event()

    async def step(self) -> None:
        self.is_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await self.may_end.wait()
            self.events.append("the call ended")

    async def close(self) -> None:
        self.events.append("closed")


async def lent(session: EndlessSession) -> tuple[Leases, Lease]:
    async def open_session() -> LeasedSession:
        return cast(LeasedSession, session)

    leases = Leases(open_session, 1)
    return leases, await leases.open(30)


async def test_a_place_is_free_only_after_the_call_has_ended() -> None:
    session = EndlessSession()
    leases, lease = await lent(session)
    call = asyncio.create_task(lease.run(session.step, 60))
    await session.is_begun.wait()
    closing = asyncio.create_task(leases.close(lease.id))
    await asyncio.sleep(0)
    for _ in range(3):
        await asyncio.sleep(0.01)
        with pytest.raises(NoCapacity):
            await leases.open(30)
    assert session.events == []
    session.may_end.set()
    assert await closing
    assert session.events == ["the call ended", "closed"]
    with pytest.raises(LeaseEnded):
        await call
    with pytest.raises(LeaseEnded):
        await lease.run(session.step, 60)


async def test_a_call_over_its_limit_is_broken_off_with_a_typed_fault() -> None:
    session = EndlessSession()
    session.may_end.set()
    _, lease = await lent(session)
    with pytest.raises(EpisodeFault) as fault:
        await lease.run(session.step, 0.05)
    assert fault.value.reason is InvalidReason.ACTION_TIMEOUT
    assert session.events == ["the call ended"]


async def test_a_client_waits_longer_than_the_host_works() -> None:
    assert CALL_TIMEOUT_S > CALL_LIMIT_S > ACT_LIMIT_S + OBSERVE_LIMIT_S
    assert CALL_LIMIT_S > HELD_ANSWER_S + ACT_LIMIT_S + TREES_S
    assert COLLECT_TIMEOUT_S > COLLECT_LIMIT_S
