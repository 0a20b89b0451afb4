"""The host as an application: token, schema, tools."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from envs.client import HostClient
from envs.providers.local import local_host

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


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


@pytest.mark.parametrize(
    "wrong_token", ["", "Bearer ", "Bearer wrong", "Basic x", "Bearer \u00fc"], ids=range(5)
)
async def test_a_wrong_token_opens_nothing(small: HostClient, wrong_token: str) -> None:
    async with aiohttp.ClientSession(small.base_url) as http:
        for method, path in (
            ("POST", "/v1/sessions"),
            ("DELETE", "/v1/sessions/x"),
            ("GET", "/v1/schema"),
            ("GET", "/v1/tools"),
        ):
            status, problem = await sent(http, method, path, Authorization=wrong_token)
            assert status == 401
            assert "token" in problem["detail"]


async def test_schema_and_tools_are_those_of_the_code(http: aiohttp.ClientSession) -> None:
    _, schema = await sent(http, "GET", "/v1/schema")
    assert schema["version"] == 1
    assert {"click", "batch", "infeasible"} <= set(schema["action"]["discriminator"]["mapping"])
    _, tools = await sent(http, "GET", "/v1/tools")
    assert all({"name", "description", "parameters"} <= tool.keys() for tool in tools["tools"])
