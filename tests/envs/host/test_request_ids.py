"""Calls with one request id run once."""

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


async def test_two_at_once_with_one_request_id_run_once(http: aiohttp.ClientSession) -> None:
    path = await opened(http)
    await sent(http, "POST", f"{path}/reset", json.dumps({"task": TASK.model_dump(mode="json")}))
    body = json.dumps({"actions": [{"type": "tab", "op": "new"}], "observe": {"windows": True}})
    request = {"X-Request-Id": "one"}
    replies = await asyncio.gather(
        *(sent(http, "POST", f"{path}/step", body, **request) for _ in range(4))
    )
    await sent(http, "DELETE", path)
    assert [len(reply["observation"]["windows"]) for _, reply in replies] == [2] * 4
    assert all(reply == replies[0] for reply in replies)
