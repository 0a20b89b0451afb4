"""The client: faults by their reason, nothing runs twice, a pool that lends well sessions."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from envs.client import HostBusy, HostClient, RemoteSession, SessionPool
from envs.contract.actions import Click, Scroll, Target
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import StepReply
from envs.contract.task import Task
from envs.host.guard import Guard
from envs.providers.local import free_port, local_host
from tasksets.registry import get_gym

TASK = get_gym("shop").make_task("price", 1)
X_SHA256 = hashlib.sha256(b"x").hexdigest()
STEP = {"results": [{"ok": True}], "observation": {"hash": "h"}}

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[HostClient]:
    """A client of an HTTP server that answers every call in one way."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        async with HostClient(f"http://127.0.0.1:{port}/", "token") as client:
            yield client
    finally:
        await runner.cleanup()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncIterator[HostClient]:
    async with local_host(capacity=2) as client:
        yield client


async def fault_of(work: Awaitable[object]) -> EpisodeFault:
    with pytest.raises(EpisodeFault) as fault:
        await work
    return fault.value


@pytest.mark.parametrize("reason", list(InvalidReason))
async def test_a_fault_of_the_host_keeps_its_reason(reason: InvalidReason) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.json_response({"detail": "the words", "reason": str(reason)}, status=502)

    async with answering(answer) as client:
        fault = await fault_of(client.open())
    assert (fault.reason, fault.detail) == (reason, "the words")
    again = pickle.loads(pickle.dumps(fault))
    assert (again.reason, str(again)) == (reason, f"{reason}: the words")


def make_keys(file: Path) -> tuple[str, str]:
    make = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(file)]
    subprocess.run(make, check=True, timeout=60)
    show = ["openssl", "pkey", "-in", str(file), "-pubout"]
    public = subprocess.run(show, check=True, capture_output=True, text=True, timeout=60).stdout
    return file.read_text(), public


async def test_a_token_is_signed_for_the_address_that_was_connected_to(tmp_path: Path) -> None:
    """Also where the host is called by a name, and comes back at another address."""
    signing_key, public = await asyncio.to_thread(make_keys, tmp_path / "key")
    guard, statuses = Guard(None, public), []
    app, port = web.Application(), free_port()

    async def answer(request: web.Request) -> web.Response:
        assert request.transport is not None
        address = request.transport.get_extra_info("sockname")
        admitted = guard.admits(request.headers.get("authorization", ""), address)
        statuses.append(200 if admitted else 401)
        return web.json_response({"status": "ok"}, status=statuses[-1])

    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        async with HostClient(f"http://localhost:{port}", None, signing_key) as client:
            for _ in range(2):
                assert await client.health() == {"status": "ok"}
            assert statuses == [401, 200, 200]
            client._client.headers["Authorization"] = "Bearer of another address"
            assert await client.health() == {"status": "ok"}
        async with HostClient(f"http://localhost:{port}", "wrong") as client:
            with pytest.raises(EpisodeFault, match="401"):
                await client.health()
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "text", "reason", "words"),
    [
        (404, '{"detail": "expired"}', InvalidReason.HOST_LOST, "expired"),
        (500, "Internal Server Error", InvalidReason.OBSERVATION, "500: Internal"),
        (502, '{"detail": "x", "reason": "bad luck"}', InvalidReason.OBSERVATION, "502: x"),
        (401, '{"detail": "send the token"}', InvalidReason.OBSERVATION, "token"),
        (400, "[]", InvalidReason.OBSERVATION, "400"),
        (200, "<html>", InvalidReason.OBSERVATION, "StepReply"),
        (200, '{"results": 3}', InvalidReason.OBSERVATION, "results"),
    ],
)
async def test_any_other_answer_is_a_fault_too(
    status: int, text: str, reason: InvalidReason, words: str
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=text, status=status)

    async with answering(answer) as client:
        session = RemoteSession(client, "x")
        fault = await fault_of(session.step([Scroll(dy=1)], Observe()))
        await session.close()
    assert fault.reason is reason
    assert words in fault.detail


async def test_a_host_that_opens_no_session_but_says_it_did_is_a_fault() -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text="fine")

    async with answering(answer) as client:
        assert (await fault_of(client.open())).reason is InvalidReason.HOST_START


async def test_a_host_that_nobody_runs_is_lost() -> None:
    async with HostClient(f"http://127.0.0.1:{free_port()}") as client:
        for work in (client.open(), client.health()):
            fault = await fault_of(work)
            assert fault.reason is InvalidReason.HOST_LOST
            assert client.base_url in fault.detail


async def test_a_host_that_does_not_answer_in_time_is_a_timeout() -> None:
    release = asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        await release.wait()
        return web.Response()

    async with answering(answer) as client:
        async with asyncio.timeout(5):
            fault = await fault_of(client.request("POST", "/v1/x", b"{}", timeout_s=0.3))
        release.set()
    assert fault.reason is InvalidReason.ACTION_TIMEOUT


async def test_a_broken_connection_is_tried_once_more_with_the_same_request_id() -> None:
    seen: list[str | None] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append(request.headers.get("X-Request-Id"))
        if len(seen) % 2 and request.transport is not None:
            request.transport.close()
        return web.json_response(STEP)

    async with answering(answer) as client:
        session = RemoteSession(client, "x")
        for _ in range(2):
            assert isinstance(await session.step([], Observe()), StepReply)
        session._heartbeats.cancel()
    assert seen[0] == seen[1] != seen[2] == seen[3]
    assert None not in seen


async def test_a_connection_that_breaks_twice_is_a_lost_host() -> None:
    calls = []

    async def answer(request: web.Request) -> web.Response:
        calls.append(request.path)
        if request.transport is not None:
            request.transport.close()
        return web.Response()

    async with answering(answer) as client:
        session = RemoteSession(client, "x")
        fault = await fault_of(session.step([], Observe()))
        assert len(calls) == 2
        opening = await fault_of(client.open())
        session._heartbeats.cancel()
    assert fault.reason is opening.reason is InvalidReason.HOST_LOST
    assert calls[2:] == ["/v1/sessions"], "a session might have been opened, so it is not repeated"


async def test_opening_waits_while_the_host_is_busy() -> None:
    calls = []

    async def answer(request: web.Request) -> web.Response:
        calls.append(request.headers["Authorization"])
        if len(calls) < 3:
            return web.json_response({"detail": "full"}, status=503)
        return web.json_response({"id": "abc", "ttl_s": 60})

    async with answering(answer) as client:
        with pytest.raises(HostBusy, match="full"):
            await client.request("POST", "/v1/sessions", b"{}")
        session = await client.open()
        await session.close()
    assert session.path == "/v1/sessions/abc"
    assert calls == ["Bearer token"] * 4, "two refusals, one session, its end"


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
async def test_faults_and_results_come_through_a_real_host(host: HostClient) -> None:
    session = await host.open()
    before = await fault_of(session.step([Scroll(dy=1)], Observe()))
    assert before.reason is InvalidReason.HOST_LOST
    nowhere = TASK.model_copy(update={"gym": None, "start_url": "http://127.0.0.1:1/"})
    refused = await fault_of(session.reset(nowhere, Observe()))
    assert refused.reason is InvalidReason.UNRUNNABLE
    for change in ({"template": "prize"}, {"params": {}}, {"gym": "shap"}):
        forged = TASK.model_copy(update=change)
        assert (await fault_of(session.reset(forged, Observe()))).reason is InvalidReason.UNRUNNABLE
    begun = await session.reset(TASK, Observe())
    reply = await session.step([Click(target=Target(ref=999)), Scroll(dy=1)], Observe())
    assert [result.ok for result in reply.results] == [False], "what follows a failure is not done"
    assert begun.observation.tree is not None
    assert (await session.evaluate("nonsense")).score < 1
    await session.close()
    assert (await fault_of(session.evaluate())).reason is InvalidReason.HOST_LOST


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_pool_keeps_well_sessions_and_replaces_failed_ones(host: HostClient) -> None:
    pool = SessionPool(host, 1)
    paths, levels = [], []
    for fails in (False, False, True, False):
        try:
            async with pool.lease() as session:
                paths.append(session.path)
                levels.append((await session.reset(TASK, Observe())).reset_level)
                if fails:
                    raise EpisodeFault(InvalidReason.OBSERVATION, "made up")
        except EpisodeFault:
            assert (await host.health())["sessions"] == 0, "the failed one was closed"
    assert paths[0] == paths[1] == paths[2] != paths[3]
    assert levels == ["context", "warm", "warm", "context"]
    await pool.close()
    assert (await host.health())["sessions"] == 0


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_pool_lends_no_more_than_its_size_and_none_twice(host: HostClient) -> None:
    pool = SessionPool(host, 2)
    out: set[str] = set()
    most = 0

    async def episode() -> None:
        nonlocal most
        async with pool.lease() as session:
            assert session.path not in out
            out.add(session.path)
            most = max(most, len(out))
            await asyncio.sleep(0.05)
            out.remove(session.path)

    await asyncio.gather(*(episode() for _ in range(8)))
    assert most == 2
    assert (await host.health())["sessions"] == 2
    await pool.close()
    assert (await host.health())["sessions"] == 0


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_cancelled_episode_gives_its_session_back(host: HostClient) -> None:
    pool = SessionPool(host, 1)
    started = asyncio.Event()

    async def episode() -> None:
        async with pool.lease():
            started.set()
            await asyncio.sleep(60)

    running = asyncio.create_task(episode())
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await host.health())["sessions"] == 0
    async with asyncio.timeout(10), pool.lease():
        pass
    await pool.close()


NAMED = {"func": "text_is", "result": {"type": "vm_file", "path": "a"},
         "expected": {"type": "rule", "rules": "x"}}  # fmt: skip
ON_DESKTOP = Task.model_validate(
    {"id": "t", "instruction": "x", "env": "desktop", "evaluator": NAMED, "oracle": {"api": []}}
)


@pytest.mark.parametrize(
    ("claim", "sent", "words"),
    [
        ({"path": "a", "bytes": 1, "sha256": X_SHA256}, b"x", ""),
        ({"path": "a", "bytes": 1, "sha256": X_SHA256}, b"y", "a changed while"),
        ({"path": "a", "bytes": 1, "sha256": X_SHA256}, b"x" * 10_000, "a changed while"),
        ({"path": "../../a", "bytes": 1, "sha256": X_SHA256}, b"x", "leads out"),
        ({"path": "a", "bytes": 10**9, "sha256": X_SHA256}, b"x", "less than or equal"),
    ],
)
async def test_files_of_a_box_are_taken_as_it_told_them_or_not_at_all(
    claim: dict[str, Any], sent: bytes, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    heartbeats: list[bytes] = []

    async def answer(request: web.Request) -> web.Response:
        heartbeats.append(await request.read())
        if request.path.endswith("/collect"):
            return web.json_response({"values": [{"kind": "file", **claim}]})
        if request.path.endswith("/reset"):
            reply = {"observation": {"hash": "0"}, "state_hash": "0", "reset_level": "x"}
            return web.json_response(reply)
        return web.Response(body=sent)

    async with answering(answer) as client:
        session = RemoteSession(client, "x", "desktop")
        await session.reset(ON_DESKTOP, Observe())
        if words:
            assert words in (await fault_of(session.evaluate())).detail
        else:
            assert (await session.evaluate()).score == 1
        session._heartbeats.cancel()
    assert list(tmp_path.iterdir()) == []
    for secret in (b"text_is", b"rule", b"evaluator", b"oracle"):
        assert secret not in b"".join(heartbeats)
