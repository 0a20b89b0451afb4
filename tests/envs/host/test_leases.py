"""Leases: capacity, expiry, closing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from envs.client import HostClient
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


async def test_closing_during_a_step_ends_it_in_bounded_time(http: aiohttp.ClientSession) -> None:
    path = await opened(http)
    await sent(http, "POST", f"{path}/reset", json.dumps({"task": TASK.model_dump(mode="json")}))
    body = json.dumps({"actions": [{"type": "wait", "ms": 500}, {"type": "scroll", "dy": 5}]})
    step = asyncio.create_task(sent(http, "POST", f"{path}/step", body))
    await asyncio.sleep(0.1)
    assert (await sent(http, "DELETE", path))[1] == {"closed": True}
    async with asyncio.timeout(20):
        status, problem = await step
    assert status == 200 or (status, "reason" in problem) == (502, True), problem
