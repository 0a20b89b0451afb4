"""What went wrong is problem JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from envs.client import HostClient
from envs.contract.actions import MAX_ACTIONS
from envs.host.messages import MAX_BODY
from envs.providers.local import local_host
from tasksets.registry import get_gym

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TASK = get_gym("shop").make_task("price", 1)
BATCH = {"type": "batch", "actions": [{"type": "done"}] * (MAX_ACTIONS // 2 + 1)}


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


@pytest.mark.parametrize("verb", ["reset", "step", "evaluate", "heartbeat"])
async def test_an_unknown_session_is_not_found(http: aiohttp.ClientSession, verb: str) -> None:
    body = {
        "reset": {"task": TASK.model_dump(mode="json")},
        "step": {"actions": []},
        "evaluate": {},
        "heartbeat": {},
    }
    status, problem = await sent(http, "POST", f"/v1/sessions/none/{verb}", json.dumps(body[verb]))
    assert (status, problem["status"]) == (404, 404)
    assert "lease" in problem["detail"]


@pytest.mark.parametrize(
    ("verb", "body", "field"),
    [
        ("step", {"actions": [{"type": "wait", "ms": -1}]}, "ms"),
        ("step", {"actions": [{"type": "click", "x": 2}]}, "actions.0.click.x"),
        ("step", {"actions": [], "observe": {"tree_chars": 1}}, "observe.tree_chars"),
        ("step", {"actions": [{"type": "done"}] * (MAX_ACTIONS + 1)}, "actions"),
        ("step", {"actions": [BATCH, BATCH]}, "actions"),
        ("step", {}, "actions"),
        ("reset", {"task": {"instruction": "x"}}, "task.id"),
        ("evaluate", {"answer": 3}, "answer"),
        ("evaluate", {"answers": "3"}, "answers"),
    ],
)  # fmt: skip
async def test_a_malformed_body_is_a_422_that_names_the_field(
    http: aiohttp.ClientSession, verb: str, body: dict[str, Any], field: str
) -> None:
    path = await opened(http)
    status, problem = await sent(http, "POST", f"{path}/{verb}", json.dumps(body))
    await sent(http, "DELETE", path)
    assert status == 422
    assert field in problem["detail"]


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_over_the_limit_is_refused(
    http: aiohttp.ClientSession, announced: bool
) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY // 65536 + 2):
            yield b"x" * 65536

    path = await opened(http)
    body = b"x" * (MAX_BODY + 1) if announced else pieces()
    status, problem = await sent(http, "POST", f"{path}/step", body)
    await sent(http, "DELETE", path)
    assert status == 413
    assert str(MAX_BODY) in problem["detail"]
