"""What the host refuses, by status: no capacity, too much, too little, too late; and its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import psutil
import pytest
import pytest_asyncio

from envs.actions import MAX_ACTIONS, Scroll
from envs.client import HostClient
from envs.gyms.registry import get_gym
from envs.host.bodies import MAX_BODY
from envs.observations import Observe
from envs.providers.local import local_host
from tests.processes import left_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
TASK = get_gym("shop").make_task("price", 1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def small() -> AsyncIterator[HostClient]:
    async with local_host(capacity=2) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="module")
async def http(small: HostClient) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(small.base_url, headers=small._headers) as made:
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


@pytest.mark.parametrize(
    "given", ["", "Bearer ", "Bearer wrong", "Basic x", "Bearer \u00fc"], ids=range(5)
)
async def test_a_wrong_token_opens_nothing(small: HostClient, given: str) -> None:
    async with aiohttp.ClientSession(small.base_url) as http:
        for method, path in (
            ("POST", "/v1/sessions"),
            ("DELETE", "/v1/sessions/x"),
            ("GET", "/v1/schema"),
            ("GET", "/v1/tools"),
        ):
            status, problem = await sent(http, method, path, Authorization=given)
            assert status == 401
            assert "token" in problem["detail"]


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


async def test_schema_and_tools_are_those_of_the_code(http: aiohttp.ClientSession) -> None:
    _, schema = await sent(http, "GET", "/v1/schema")
    assert schema["version"] == 1
    assert {"click", "batch", "infeasible"} <= set(schema["action"]["discriminator"]["mapping"])
    _, tools = await sent(http, "GET", "/v1/tools")
    assert all({"name", "description", "parameters"} <= tool.keys() for tool in tools["tools"])


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
