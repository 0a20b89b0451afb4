"""Async client of an env host.

Guarantees: a `RemoteSession` is an `envs.contract.session.Session`; every call has a timeout;
whatever goes wrong on the way is an EpisodeFault with its reason. A call whose connection broke is
sent once more with the same request id, so it never runs twice. `SessionPool` lends sessions,
keeps them warm from episode to episode, and replaces those that failed or died meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import orjson
from pydantic import BaseModel, ValidationError

from envs.contract.actions import Action
from envs.contract.browser_state import BrowserState
from envs.contract.files import FileInfo, FileRefused, NoSuchFile, SessionFileList
from envs.contract.host_api import (
    CALL_LIMIT_S,
    CLIENT_PATIENCE_S,
    COLLECT_LIMIT_S,
    FILE_REFUSED,
    NO_SUCH_FILE,
    NO_SUCH_STATE,
    REQUEST_ID_HEADER,
    CollectRequest,
    EvaluateRequest,
    InspectRequest,
    OpenRequest,
    ResetRequest,
    RestoreRequest,
    SessionOpened,
    StepRequest,
)
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_facts import PageFacts
from envs.contract.secret import Secret
from envs.contract.session import (
    TAKEOVER_REPLY,
    CannotSnapshot,
    Judged,
    Keep,
    ResetReply,
    SnapshotTaken,
    StepReply,
    Verdict,
)
from envs.contract.task import Env, Task
from envs.host.guard import sign_token
from envs.io.episode_log import HEADER, NONE, get_episode
from envs.io.fetch import Bounds, Fetched, FetchError, TooBig, fetch
from envs.io.json_client import AnswerTooLarge, CallFailed, HttpReply, JsonClient, NoAnswer
from envs.state.evidence import Collected, File

Reply = TypeVar("Reply", bound=BaseModel)

CALL_TIMEOUT_S = CALL_LIMIT_S + CLIENT_PATIENCE_S
HELD_TIMEOUT_S = 900.0
"""A person may hold the desktop for long; the host bounds it earlier."""
COLLECT_TIMEOUT_S = COLLECT_LIMIT_S + CLIENT_PATIENCE_S
MAX_REPLY = 64 * 1024 * 1024
OPEN_TIMEOUT_S = 60.0
BUSY_S = 0.2
"""Between two attempts to lease a session."""
FILE_BOUNDS = Bounds(max_bytes=0, quiet_s=15.0, whole_s=60.0, tries=2)
SECRETS = {"evaluator", "oracle", "script"}
"""Fields of a task that a box never receives: how it is judged, solved and replayed."""
CHECK_TIMEOUT_S = 5.0
"""For a kept session to answer before it is lent again."""
HEARTBEAT_S = 5.0
LEASE_TTL_S = 20.0
"""A killed client keeps a desktop for this long: no longer than an episode's own lease."""


class HostClient:
    """`base_url` like http://127.0.0.1:8200. With a `signing_key` the token of the host is a
    signature of the address that was connected to. Use as an async context manager."""

    def __init__(
        self, base_url: str, token: str | None = None, signing_key: str | None = None
    ) -> None:
        self._signing_key = signing_key
        headers = {"Authorization": f"Bearer {token}"} if token else None
        self._client = JsonClient(
            base_url, timeout_s=CALL_TIMEOUT_S, headers=headers, max_bytes=MAX_REPLY
        )

    @property
    def base_url(self) -> str:
        """Address of the host."""
        return self._client.base_url

    async def __aenter__(self) -> HostClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; leased sessions end when their leases do."""
        await self._client.close()

    async def open(self, env: Env = "browser", wait_s: float = OPEN_TIMEOUT_S) -> RemoteSession:
        """Leases a session. Waits `wait_s` for capacity."""
        deadline = asyncio.get_running_loop().time() + wait_s
        while True:
            try:
                return await self.open_now(env)
            except HostBusy as busy:
                if asyncio.get_running_loop().time() > deadline:
                    raise EpisodeFault(InvalidReason.HOST_START, str(busy)) from busy
                await asyncio.sleep(BUSY_S)

    async def open_now(self, env: Env) -> RemoteSession:
        """Leases a session. Raises HostBusy where none is free."""
        body = _dump(OpenRequest(env=env, ttl_s=LEASE_TTL_S))
        content = await self.request("POST", "/v1/sessions", body)
        try:
            opened = SessionOpened.model_validate_json(content)
            return RemoteSession(self, opened.id, env, lends_assets=opened.wants_assets)
        except ValidationError as error:
            raise EpisodeFault(
                InvalidReason.HOST_START, f"env host {self.base_url} opened nothing: {error}"
            ) from error

    async def health(self) -> dict[str, Any]:
        """The host's own report. Raises EpisodeFault."""
        data: dict[str, Any] = orjson.loads(await self.request("GET", "/v1/health", None))
        return data

    async def request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        timeout_s: float = CALL_TIMEOUT_S,
        request_id: str | None = None,
        repeatable: bool = False,
    ) -> bytes:
        """The content of the answer. A call that is `repeatable`, or has a request id, under which
        the host runs it once, is sent again when the connection breaks. Raises EpisodeFault or
        HostBusy."""
        repeatable |= request_id is not None or method == "GET"
        headers = {} if request_id is None else {REQUEST_ID_HEADER: request_id}
        if get_episode() != NONE:
            headers[HEADER] = get_episode()
        tries = 2 if repeatable else 1

        async def call() -> HttpReply:
            return await self._client.call(
                method, path, body, timeout_s=timeout_s, headers=headers, tries=tries
            )

        try:
            reply = await call()
            if reply.status == 401 and self._sign():
                reply = await call()
        except NoAnswer as error:
            raise EpisodeFault(
                InvalidReason.ACTION_TIMEOUT, f"the host did not answer in {timeout_s:g} s"
            ) from error
        except AnswerTooLarge as error:
            raise EpisodeFault(InvalidReason.OBSERVATION, f"env host: {error}") from error
        except CallFailed as error:
            raise EpisodeFault(
                InvalidReason.HOST_LOST, f"env host {self.base_url}: {error}"
            ) from error
        if reply.status >= 400:
            raise _make_fault(reply)
        return reply.content

    def _sign(self) -> bool:
        """The token for the address that was connected to; whether it is another than before."""
        if self._signing_key is None:
            return False
        value = f"Bearer {sign_token(self._signing_key, self._client.peer)}"
        changed = self._client.headers.get("Authorization") != value
        self._client.headers["Authorization"] = value
        return changed

    async def download(self, path: str, place: Path, bounds: Bounds) -> Fetched:
        """Raises FetchError."""
        url = self.base_url + path
        client = self._client
        return await fetch(client.session, url, place, bounds, headers=client.headers)


class HostBusy(Exception):
    """The host has no free session now."""


def _make_fault(reply: HttpReply) -> Exception:
    try:
        problem = reply.json()
        detail, reason = str(problem.get("detail", "")), problem.get("reason")
        title = problem.get("title")
    except (orjson.JSONDecodeError, AttributeError):
        detail, reason, title = reply.excerpt, None, None
    if reply.status == 503:
        return HostBusy(detail)
    if reply.status == 404:
        return EpisodeFault(InvalidReason.HOST_LOST, f"the session is gone: {detail}")
    if title in (NO_SUCH_FILE, FILE_REFUSED):
        return NoSuchFile(detail) if title == NO_SUCH_FILE else FileRefused(detail)
    if title == NO_SUCH_STATE:
        return CannotSnapshot(detail)
    if reason in set(InvalidReason):
        return EpisodeFault(InvalidReason(reason), detail)
    return EpisodeFault(InvalidReason.OBSERVATION, f"env host answered {reply.status}: {detail}")


class RemoteSession:
    """A leased session; renews its lease in the background until closed.

    A desktop is judged on this side, by what its host collects: a box never receives the
    evaluator or the solution of its task. With `lends_assets` it sends the host, which has no
    mirror, what the steps of a task take from the mirror of this side, before each reset."""

    def __init__(
        self,
        client: HostClient,
        session_id: str,
        env: Env = "browser",
        *,
        lends_assets: bool = False,
    ) -> None:
        self._client = client
        self._env = env
        self._lends_assets = lends_assets
        self._task: Task | None = None
        self.path = f"/v1/sessions/{session_id}"
        self._heartbeats = asyncio.create_task(self._send_heartbeats())
        self._closed = False

    async def lend_secrets(self, secrets: Mapping[str, Secret]) -> None:
        """For the task of the next reset: what its agent may type without seeing it. Raises
        EpisodeFault, HostBusy."""
        entries = {
            name: {"value": secret.value.get_secret_value(), "allow": secret.allow}
            for name, secret in secrets.items()
        }
        body = orjson.dumps({"secrets": entries})
        await self._client.request("POST", f"{self.path}/secrets", body, repeatable=True)

    async def lend_state(self, state: BrowserState) -> None:
        """For the task of the next reset: log-in state that its browser begins with. Raises
        EpisodeFault, HostBusy."""
        body = state.model_dump_json(exclude_none=True).encode()
        await self._client.request("POST", f"{self.path}/state", body, repeatable=True)

    async def read_state(self) -> BrowserState:
        """Log-in state of the task's sites. Raises EpisodeFault, HostBusy."""
        reply = await self._client.request("GET", f"{self.path}/state", None)
        return BrowserState.model_validate_json(reply)

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Starts the task from its initial state. Raises EpisodeFault."""
        self._task = task
        if self._lends_assets:
            await self._lend_assets(task)
        hidden = {"task": SECRETS} if self._env == "desktop" else None
        body = ResetRequest(task=task, observe=observe)
        content = body.model_dump_json(exclude_none=True, exclude=hidden).encode()
        return await self._call("reset", content, ResetReply)

    async def _lend_assets(self, task: Task) -> None:
        from envs.osworld.format.mirror import kept_files

        for name, path in kept_files(task):
            content = await asyncio.to_thread(path.read_bytes)
            place = f"{self.path}/assets?name={quote(name, safe='')}"
            await self._client.request("POST", place, content, repeatable=True)

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs the actions in order, settles, observes. Raises EpisodeFault."""
        # The host refuses a list that is too long; its members are valid already.
        body = StepRequest.model_construct(actions=actions, observe=observe)
        return await self._call("step", _dump(body), StepReply)

    async def inspect(self, actions: Sequence[Action]) -> PageFacts:
        """What the actions would touch, and the page's texts; nothing is done. Raises
        EpisodeFault."""
        body = InspectRequest.model_construct(actions=list(actions))
        return await self._call("inspect", _dump(body), PageFacts)

    async def snapshot(self) -> SnapshotTaken:
        """Keeps the state of now on the host. Raises CannotSnapshot, EpisodeFault."""
        return await self._call("snapshot", b"", SnapshotTaken)

    async def restore(self, snapshot_id: str, observe: Observe) -> ResetReply:
        """Puts this session into a state that any session of the host kept. Raises CannotSnapshot,
        EpisodeFault."""
        body = RestoreRequest(snapshot=snapshot_id, observe=observe)
        return await self._call("restore", _dump(body), ResetReply)

    async def fork(self, observe: Observe) -> tuple[RemoteSession, ResetReply]:
        """Another session in the state of this one; both go on apart. Close it. Raises
        CannotSnapshot, EpisodeFault."""
        taken = await self.snapshot()
        twin = await self._client.open(self._env)
        try:
            return twin, await twin.restore(taken.id, observe)
        except BaseException:
            await twin.close()
            raise

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """The verdict on the current state; `keep` receives its evidence. Raises EpisodeFault."""
        if self._env == "browser":
            ending = EvaluateRequest(answer=answer, infeasible=infeasible, keep=keep is not None)
            reply = await self._call("evaluate", _dump(ending), Judged)
            if keep is not None and reply.evidence is not None:
                keep(reply.evidence)
            return reply.verdict
        if self._task is None or self._task.evaluator is None:
            raise EpisodeFault(
                InvalidReason.EVALUATOR_ERROR,
                "the task names no evaluator, so nothing can judge it",
            )
        # Clients of browsers do without what it takes to judge a desktop.
        from envs.osworld.format.ending import Ending
        from envs.osworld.outside.evaluate import evaluate

        return await evaluate(self, self._task, Ending(answer, infeasible), keep)

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        """What the getters of an evaluator return in the box. Raises EpisodeFault."""
        body = CollectRequest(
            postconfig=[dict(step) for step in postconfig],
            getters=[dict(getter) for getter in getters],
        )
        content = body.model_dump_json().encode()
        return await self._call("collect", content, Collected, COLLECT_TIMEOUT_S)

    async def bring(self, value: int, number: int, claim: File, place: Path) -> None:
        """Downloads a collected file and checks it against what the box claims of it. Raises
        EpisodeFault."""
        path = f"{self.path}/collected/{value}/{number}"
        changed = f"{claim.path} changed while it was fetched"
        try:
            bounds = replace(FILE_BOUNDS, max_bytes=claim.bytes)
            fetched = await self._client.download(path, place, bounds)
        except TooBig as error:
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, changed) from error
        except FetchError as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        if fetched.sha256 != claim.sha256:
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, changed)

    async def put_file(self, name: str, data: bytes) -> FileInfo:
        """Puts a file into the session. Raises FileRefused, EpisodeFault, HostBusy."""
        path = f"{self.path}/files?name={quote(name, safe='')}"
        reply = await self._client.request("POST", path, data, repeatable=True)
        return FileInfo.model_validate_json(reply)

    async def list_files(self) -> SessionFileList:
        """What was put there, and what was made there. Raises EpisodeFault, HostBusy."""
        reply = await self._client.request("GET", f"{self.path}/files", None)
        return SessionFileList.model_validate_json(reply)

    async def read_file(self, name: str) -> bytes:
        """One of them. Raises NoSuchFile, EpisodeFault, HostBusy."""
        path = f"{self.path}/file?name={quote(name, safe='')}"
        return await self._client.request("GET", path, None)

    async def start_recording(self) -> None:
        """Starts a recording of the desktop; drops one under way. Raises EpisodeFault, HostBusy."""
        await self._client.request("POST", f"{self.path}/recording/start", b"")

    async def end_recording(self) -> bytes:
        """Ends the recording: its mp4. Raises EpisodeFault, HostBusy."""
        return await self._client.request("POST", f"{self.path}/recording/stop", b"")

    async def is_alive(self) -> bool:
        """Whether the host still has this session. If not, it is closed on this side: the host that
        lent it is gone, or ends the lease by itself."""
        try:
            await self._renew(CHECK_TIMEOUT_S)
        except (EpisodeFault, HostBusy):
            self._closed = True
            self._heartbeats.cancel()
        return not self._closed

    async def close(self) -> None:
        """Ends the lease; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._heartbeats.cancel()
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
            if content != TAKEOVER_REPLY or asyncio.get_running_loop().time() > deadline:
                break
        try:
            return model.model_validate_json(content)
        except ValidationError as error:
            raise EpisodeFault(
                InvalidReason.OBSERVATION, f"env host sent no {model.__name__}: {error}"[:500]
            ) from error

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            with contextlib.suppress(EpisodeFault, HostBusy):
                await self._renew(10)

    async def _renew(self, timeout_s: float) -> None:
        path = f"{self.path}/heartbeat"
        await self._client.request("POST", path, b"", timeout_s, repeatable=True)


def _dump(body: BaseModel) -> bytes:
    return body.model_dump_json(exclude_none=True).encode()


class SessionPool:
    """At most `size` sessions, opened when first needed, reused while they work. `wait_s`: for
    capacity of the host, which others may use as well."""

    def __init__(
        self,
        client: HostClient,
        size: int,
        env: Env = "browser",
        wait_s: float = OPEN_TIMEOUT_S,
    ) -> None:
        self._client = client
        self._env: Env = env
        self._wait_s = wait_s
        self._free: list[RemoteSession] = []
        self._room = asyncio.Semaphore(size)

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[RemoteSession]:
        """A session for one episode. If the body raises, the session is closed, not reused."""
        session, is_well = await self.take(), False
        try:
            yield session
            is_well = True
        finally:
            await asyncio.shield(self.give_back(session, is_well))

    async def take(self) -> RemoteSession:
        """A session that the host still has. Give it back. Raises EpisodeFault."""
        await self._room.acquire()
        try:
            while self._free:
                session = self._free.pop()
                if await session.is_alive():
                    return session
            return await self._client.open(self._env, self._wait_s)
        except BaseException:
            self._room.release()
            raise

    async def give_back(self, session: RemoteSession, is_well: bool) -> None:
        """The episode has ended. A session that is not well is closed."""
        try:
            if is_well:
                self._free.append(session)
            else:
                await session.close()
        finally:
            self._room.release()

    async def close(self) -> None:
        """Closes the free sessions."""
        sessions, self._free = self._free, []
        for session in sessions:
            await session.close()
