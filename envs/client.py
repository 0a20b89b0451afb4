"""Async client of an env host.

Guarantees: a `RemoteSession` is an `envs.session.Session`; every call has a timeout; whatever goes
wrong on the way is an EpisodeFault with its reason. A call whose connection broke is sent once more
with the same request id, so it never runs twice. `SessionPool` lends sessions, keeps them warm from
episode to episode, and replaces those that failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import aiohttp
import orjson
from pydantic import BaseModel, ValidationError

from envs.actions import Action
from envs.fetch import Bounds, Fetched, FetchError, TooBig, fetch
from envs.observations import Observe
from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import HELD, Judged, Keep, ResetReply, StepReply, Verdict
from envs.tasks import Env, Task
from envs.verify.evidence import Collected, File

Reply = TypeVar("Reply", bound=BaseModel)

CALL_TIMEOUT_S = 60.0
HELD_TIMEOUT_S = 900.0
"""A person may hold the desktop for long; the host bounds it earlier."""
COLLECT_TIMEOUT_S = 90.0
MAX_REPLY = 64 * 1024 * 1024
OPEN_TIMEOUT_S = 60.0
BUSY_S = 0.2
"""Between two questions for a free session."""
FILE_BOUNDS = Bounds(max_bytes=0, quiet_s=15.0, whole_s=60.0, tries=2)
SECRETS = {"evaluator", "oracle"}
"""Of a task: how it is judged and solved."""
HEARTBEAT_S = 5.0
LEASE_TTL_S = 20.0
"""Who was killed holds a desktop for this long: no longer than an episode's own lease."""


class HostClient:
    """`base_url` like http://127.0.0.1:8200. Use as an async context manager."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._http: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> HostClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def http(self) -> aiohttp.ClientSession:
        if self._http is None:
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=30)
            self._http = aiohttp.ClientSession(connector=connector)
        return self._http

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()
            self._http = None

    async def open(self, env: Env = "browser") -> RemoteSession:
        """Leases a session. Waits for capacity, bounded by OPEN_TIMEOUT_S."""
        deadline = asyncio.get_running_loop().time() + OPEN_TIMEOUT_S
        while True:
            try:
                return await self.open_now(env)
            except HostBusy as busy:
                if asyncio.get_running_loop().time() > deadline:
                    raise EpisodeFault(InvalidReason.HOST_START, str(busy)) from busy
                await asyncio.sleep(BUSY_S)

    async def open_now(self, env: Env) -> RemoteSession:
        """Leases a session. Raises HostBusy where none is free."""
        body = orjson.dumps({"env": env, "ttl_s": LEASE_TTL_S})
        content = await self.request("POST", "/v1/sessions", body)
        try:
            return RemoteSession(self, _Opened.model_validate_json(content).id, env)
        except ValidationError as error:
            raise EpisodeFault(
                InvalidReason.HOST_START, f"env host {self.base_url} opened nothing: {error}"
            ) from error

    async def health(self) -> dict[str, Any]:
        data: dict[str, Any] = orjson.loads(await self.request("GET", "/v1/health", None))
        return data

    async def request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        timeout_s: float = CALL_TIMEOUT_S,
        request_id: str | None = None,
    ) -> bytes:
        """Raises EpisodeFault or HostBusy."""
        headers = self._headers
        if request_id is not None:
            headers = {**headers, "X-Request-Id": request_id}
        tries = 2 if request_id is not None or method == "GET" else 1
        for attempt in range(tries):
            try:
                async with asyncio.timeout(timeout_s):
                    async with self.http.request(
                        method, self.base_url + path, data=body, headers=headers
                    ) as reply:
                        content = await _read(reply)
                        if reply.status < 400:
                            return content
                        raise _fault(reply.status, content)
            except TimeoutError as error:
                raise EpisodeFault(
                    InvalidReason.ACTION_TIMEOUT, f"the host did not answer in {timeout_s:g} s"
                ) from error
            except aiohttp.ClientError as error:
                if attempt + 1 == tries:
                    raise EpisodeFault(
                        InvalidReason.HOST_LOST, f"env host {self.base_url}: {error!r}"
                    ) from error
                await asyncio.sleep(0.05)
        raise AssertionError("unreachable")

    async def download(self, path: str, place: Path, bounds: Bounds) -> Fetched:
        """Raises FetchError."""
        url = self.base_url + path
        return await fetch(self.http, url, place, bounds, headers=self._headers)


async def _read(reply: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for piece in reply.content.iter_any():
        content += piece
        if len(content) > MAX_REPLY:
            raise EpisodeFault(
                InvalidReason.OBSERVATION, f"the host's answer is over {MAX_REPLY} bytes"
            )
    return bytes(content)


class _Opened(BaseModel):
    id: str


class HostBusy(Exception):
    """The host has no free session now."""


def _fault(status: int, content: bytes) -> Exception:
    try:
        data = orjson.loads(content)
        detail, reason = str(data.get("detail", "")), data.get("reason")
    except (orjson.JSONDecodeError, AttributeError):
        detail, reason = content[:200].decode(errors="replace"), None
    if status == 503:
        return HostBusy(detail)
    if status == 404:
        return EpisodeFault(InvalidReason.HOST_LOST, f"the session is gone: {detail}")
    if reason in set(InvalidReason):
        return EpisodeFault(InvalidReason(reason), detail)
    return EpisodeFault(InvalidReason.OBSERVATION, f"env host answered {status}: {detail}")


class RemoteSession:
    """A leased session; renews its lease in the background until closed.

    A desktop is judged here, by what its host collects: the evaluator and the solution of a task
    are not told to a box that solves it."""

    def __init__(self, client: HostClient, session_id: str, env: Env = "browser") -> None:
        self._client = client
        self._env = env
        self._task: Task | None = None
        self.path = f"/v1/sessions/{session_id}"
        self._heart = asyncio.create_task(self._beat())
        self._closed = False

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        self._task = task
        told = _dump(task, exclude=SECRETS if self._env == "desktop" else None)
        body = b'{"task":%s,"observe":%s}' % (told, _dump(observe))
        return await self._call("reset", body, ResetReply)

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        body = b'{"actions":[%s],"observe":%s}' % (
            b",".join(_dump(action) for action in actions),
            _dump(observe),
        )
        return await self._call("step", body, StepReply)

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        if self._env == "browser":
            asked = {"answer": answer, "infeasible": infeasible, "keep": keep is not None}
            judged = await self._call("evaluate", orjson.dumps(asked), Judged)
            if keep is not None and judged.evidence is not None:
                keep(judged.evidence)
            return judged.verdict
        if self._task is None or self._task.evaluator is None:
            raise EpisodeFault(
                InvalidReason.EVALUATOR_ERROR,
                "the task names no evaluator, so nothing can judge it",
            )
        # Clients of browsers do without what it takes to judge a desktop.
        from envs.verify.evaluate import evaluate
        from envs.verify.registry import Ending

        return await evaluate(self, self._task, Ending(answer, infeasible), keep)

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]]
    ) -> Collected:
        body = orjson.dumps({"postconfig": postconfig, "wanted": wanted})
        return await self._call("collect", body, Collected, COLLECT_TIMEOUT_S)

    async def bring(self, value: int, number: int, told: File, place: Path) -> None:
        """A file of what was collected. Raises EpisodeFault."""
        path = f"{self.path}/collected/{value}/{number}"
        changed = f"{told.path} changed while it was fetched"
        try:
            bounds = replace(FILE_BOUNDS, max_bytes=told.bytes)
            fetched = await self._client.download(path, place, bounds)
        except TooBig as error:
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, changed) from error
        except FetchError as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        if fetched.sha256 != told.sha256:
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, changed)

    async def start_film(self) -> None:
        """Of a desktop, in place of one under way. Raises EpisodeFault, HostBusy."""
        await self._client.request("POST", f"{self.path}/recording/start", b"")

    async def end_film(self) -> bytes:
        """mp4. Raises EpisodeFault, HostBusy."""
        return await self._client.request("POST", f"{self.path}/recording/stop", b"")

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._heart.cancel()
        with contextlib.suppress(EpisodeFault, HostBusy):
            await self._client.request("DELETE", self.path, None, 10)

    async def _call(
        self, verb: str, body: bytes, model: type[Reply], timeout_s: float = CALL_TIMEOUT_S
    ) -> Reply:
        request_id = secrets.token_hex(6)
        deadline = asyncio.get_running_loop().time() + HELD_TIMEOUT_S
        while True:
            content = await self._client.request(
                "POST", f"{self.path}/{verb}", body, timeout_s, request_id
            )
            if content != HELD or asyncio.get_running_loop().time() > deadline:
                break
        try:
            return model.model_validate_json(content)
        except ValidationError as error:
            raise EpisodeFault(
                InvalidReason.OBSERVATION, f"env host sent no {model.__name__}: {error}"[:500]
            ) from error

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            with contextlib.suppress(EpisodeFault, HostBusy):
                await self._client.request("POST", f"{self.path}/heartbeat", b"", 10)


def _dump(model: BaseModel, exclude: set[str] | None = None) -> bytes:
    return model.model_dump_json(exclude_none=True, exclude=exclude).encode()


class SessionPool:
    """At most `size` sessions, opened when first needed, used again while well."""

    def __init__(self, client: HostClient, size: int, env: Env = "browser") -> None:
        self._client = client
        self._env: Env = env
        self._free: list[RemoteSession] = []
        self._slots = asyncio.Semaphore(size)

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[RemoteSession]:
        """A session for one episode. If the body raises, the session is closed, not reused."""
        async with self._slots:
            session = self._free.pop() if self._free else await self._client.open(self._env)
            try:
                yield session
            except BaseException:
                await asyncio.shield(session.close())
                raise
            self._free.append(session)

    async def close(self) -> None:
        sessions, self._free = self._free, []
        for session in sessions:
            await session.close()
