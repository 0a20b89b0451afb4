"""Sessions of env hosts on loan to callers of the HTTP API.

Guarantees: at most `max_sessions` are open, and of each kind of environment no more than
`session_share` of what the hosts have, at least one; a place that is all that episodes have rests
after each session, so that an episode that waits gets it first. A session ends when it was not used
for its idle time, at its longest time, when its environment fails, when it is closed, and with the
API; then its host has its place back. A call never waits for a place: where there is none it is
refused with the time after which to try again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import get_args

from agent_server.api.admission import check_start_url
from agent_server.api.errors import ApiError
from agent_server.api.session_models import Loan, SessionState
from agent_server.settings import Settings
from agent_server.store.profiles import ProfileError, Profiles
from agent_server.worker.hosts import Host, Hosts
from envs.client import HostBusy, RemoteSession
from envs.contract.browser_state import BrowserState
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import CannotSnapshot, SnapshotTaken
from envs.contract.task import Env, Task

log = logging.getLogger(__name__)

REAP_EVERY_S = 0.5
CALL_S = 75.0
"""Longer than a host works on a call: only a person who has taken over holds one up so long."""
REST_S = 5.0
"""Of a place that episodes have no other of: many times what a worker waits between two tries."""
RETRY_S = 5
MAX_SNAPSHOTS = 16
"""Of one session: hosts keep a few hundred, which episodes use as well."""
MAX_ENDED = 1000
"""Sessions whose end can still be told."""
NO_HOST: dict[Env, str] = {
    "browser": "the API knows no browser host: set DESKHAND_HOST_URLS of the API",
    "desktop": "the API knows no desktop: start with --desktops, or set DESKHAND_DESKTOP_URLS of "
    "the API",
}


@dataclass(slots=True)
class View:
    """What people who watch a session share. `token`: part of the address to watch it at; the
    picture was taken at `taken_at`, by whoever held the lock."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    watchers: int = 0
    picture: bytes = b""
    taken_at: float = -math.inf
    taking: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True, kw_only=True)
class OpenSession:
    """One session and its loan. Times are those of `time.monotonic`."""

    id: str
    task: Task
    remote: RemoteSession
    host: Host
    loan: Loan
    opened_at: float
    used_at: float
    created_at: datetime
    calls: int = 0
    """Under way now: they keep it from being idle."""
    snapshots: set[str] = field(default_factory=set)
    """Taken in it, or in the session that it was forked from."""
    view: View = field(default_factory=View)

    def why_over(self, now: float) -> str | None:
        """Why it is to end now, if it is."""
        if now - self.opened_at >= self.loan.max_s:
            return f"its {self.loan.max_s:g} s were over"
        if not self.calls and now - self.used_at >= self.loan.idle_s:
            return f"it was not used for {self.loan.idle_s:g} s"
        return None

    def describe(self) -> SessionState:
        """The session as callers see it."""
        unused_from = self.used_at if not self.calls else time.monotonic()
        idle_ends = unused_from - self.opened_at + self.loan.idle_s
        is_of_gym = self.task.gym is not None
        return SessionState(
            id=self.id,
            env=self.task.env,
            name=self.task.id if is_of_gym else None,
            instruction=self.task.instruction if is_of_gym else None,
            start_url=self.task.start_url,
            allow=self.task.allow,
            created_at=self.created_at,
            idle_ends_at=self.created_at + timedelta(seconds=min(idle_ends, self.loan.max_s)),
            ends_at=self.created_at + timedelta(seconds=self.loan.max_s),
            view=f"/v1/sessions/{self.id}/view?token={self.view.token}",
        )


class OpenSessions:
    """The sessions of one API process. Use as an async context manager."""

    def __init__(self, settings: Settings, own_port: int | None = None) -> None:
        self._settings, self._own_port = settings, own_port
        self._hosts: dict[Env, Hosts] = {env: Hosts(env, settings) for env in get_args(Env)}
        self._open: dict[str, OpenSession] = {}
        self._places: Counter[Env] = Counter()
        """Held by sessions that are open, or are being opened or closed."""
        self._rests_until: dict[Env, float] = {}
        self._ended: dict[str, str] = {}
        self._reaper: asyncio.Task[None] | None = None
        self._refusal: str | None = None

    async def __aenter__(self) -> OpenSessions:
        self._reaper = asyncio.create_task(self._reap())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reaper is not None:
            self._reaper.cancel()
        await asyncio.gather(*(self.end(key, "the API was stopped") for key in list(self._open)))
        for hosts in self._hosts.values():
            await hosts.close()

    def refuse(self, reason: str) -> None:
        """Open no more sessions; those that are open go on."""
        self._refusal = reason

    def list(self) -> Collection[OpenSession]:
        """The open sessions, oldest first."""
        return self._open.values()

    def is_open(self, session: OpenSession) -> bool:
        """Whether it has not ended yet."""
        return session.id in self._open

    def get(self, session_id: str) -> OpenSession:
        """Raises ApiError(404), which says why a session has ended."""
        session = self._open.get(session_id)
        if session is None:
            reason = self._ended.get(session_id)
            detail = f"there is no session {session_id[:80]!r}"
            if reason is not None:
                detail = f"session {session_id} has ended: {reason}"
            raise ApiError(HTTPStatus.NOT_FOUND, detail)
        return session

    async def open(
        self, task: Task, loan: Loan, observe: Observe
    ) -> tuple[OpenSession, Observation]:
        """Leases a session and resets it to the task. Raises ApiError."""
        check_start_url(task, self._own_port)
        state = await asyncio.to_thread(self._load_state, task)
        async with self._lending(task, loan, None) as session:
            if state is not None:
                await session.remote.lend_state(state)
            reply = await session.remote.reset(task, observe)
        return session, reply.observation

    def _load_state(self, task: Task) -> BrowserState | None:
        """The profile of the task, of its sites only. Raises ApiError(422)."""
        if task.profile is None:
            return None
        profiles = Profiles(self._settings.artifacts, self._settings.profile_keys)
        try:
            return profiles.load(task.profile).within(task.reach)
        except ProfileError as error:
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"profile: {error}") from error

    async def fork(
        self, origin: OpenSession, loan: Loan, observe: Observe
    ) -> tuple[OpenSession, Observation]:
        """Another session of the same host in the state of `origin`. Raises ApiError,
        CannotSnapshot, EpisodeFault."""
        taken = await origin.remote.snapshot()
        async with self._lending(origin.task, loan, origin.host) as session:
            session.snapshots |= origin.snapshots
            reply = await session.remote.restore(taken.id, observe)
        return session, reply.observation

    async def snapshot(self, session: OpenSession) -> SnapshotTaken:
        """Keeps the state of now. Raises ApiError(409), CannotSnapshot, EpisodeFault."""
        if len(session.snapshots) >= MAX_SNAPSHOTS:
            detail = f"a session keeps {MAX_SNAPSHOTS} snapshots, and this one has as many"
            raise ApiError(HTTPStatus.CONFLICT, detail)
        taken = await session.remote.snapshot()
        session.snapshots.add(taken.id)
        return taken

    @contextlib.asynccontextmanager
    async def using(self, session_id: str) -> AsyncIterator[OpenSession]:
        """The session, which is not idle meanwhile. What its environment raises becomes an
        ApiError; it ends after a fault."""
        session = self.get(session_id)
        session.calls += 1
        try:
            async with asyncio.timeout(CALL_S):
                yield session
        except TimeoutError as error:
            detail = "the session did not answer: a person may have taken over; try again"
            raise ApiError(HTTPStatus.CONFLICT, detail) from error
        except CannotSnapshot as error:
            raise ApiError(HTTPStatus.CONFLICT, str(error)) from error
        except EpisodeFault as fault:
            # Closed meanwhile, by its caller or by its time: the host has forgotten it.
            if session_id not in self._open:
                self.get(session_id)
            await self.end(session_id, f"its environment failed ({fault})")
            detail = f"the environment failed ({fault}), and the session has ended"
            raise ApiError(HTTPStatus.BAD_GATEWAY, detail) from fault
        finally:
            session.calls -= 1
            session.used_at = time.monotonic()

    async def end(self, session_id: str, reason: str) -> None:
        """Gives the environment back; a second call does nothing."""
        # Taken out first: two who end it do so once, and no call begins on it any more.
        session = self._open.pop(session_id, None)
        if session is None:
            return
        self._ended[session_id] = reason
        if len(self._ended) > MAX_ENDED:
            del self._ended[next(iter(self._ended))]
        log.info("session %s ends: %s", session_id, reason)
        await asyncio.shield(self._give_back(session))

    @contextlib.asynccontextmanager
    async def _lending(
        self, task: Task, loan: Loan, host: Host | None
    ) -> AsyncIterator[OpenSession]:
        """A leased session; it is open once the body has ended, and given back if that raises."""
        limit_s = self._settings.session_max_s
        if loan.max_s > limit_s and "max_s" not in loan.model_fields_set:
            loan = loan.model_copy(update={"max_s": limit_s})
        if loan.max_s > limit_s:
            detail = f"max_s: a session lasts {limit_s:g} s at most (DESKHAND_SESSION_MAX_S)"
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
        host, remote = await self._lease(task.env, host)
        now = time.monotonic()
        session = OpenSession(
            id=f"s_{secrets.token_hex(8)}",
            task=task,
            remote=remote,
            host=host,
            loan=loan,
            opened_at=now,
            used_at=now,
            created_at=datetime.now(UTC),
        )
        try:
            yield session
        except BaseException as error:
            await asyncio.shield(self._give_back(session))
            if isinstance(error, EpisodeFault):
                raise _make_refusal(error) from error
            raise
        session.used_at = time.monotonic()
        self._open[session.id] = session

    async def _lease(self, env: Env, only: Host | None) -> tuple[Host, RemoteSession]:
        """A session of the least busy host, or of the one host. Raises ApiError."""
        hosts = await self._hosts[env].current()
        if not hosts:
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, NO_HOST[env])
        # No call may wait between this check and the place that is taken.
        self._check_room(env, await _capacity(hosts))
        self._places[env] += 1
        try:
            # A snapshot is known to the host that keeps it, and to no other.
            hosts = [only] if only is not None else sorted(hosts, key=lambda host: host.in_flight)
            for host in hosts:
                host.in_flight += 1
                try:
                    return host, await host.client.open_now(env)
                except BaseException as error:
                    host.in_flight -= 1
                    if not isinstance(error, HostBusy | EpisodeFault):
                        raise
                    log.info("%s lends no session: %s", host.client.base_url, error)
            raise _make_no_room(f"no {env} host has room")
        except BaseException:
            self._places[env] -= 1
            raise

    def _check_room(self, env: Env, capacity: int) -> None:
        """Raises ApiError(503), or 422 where sessions are never lent."""
        if self._refusal is not None:
            raise _make_no_room(self._refusal)
        most = self._settings.max_sessions
        if not most:
            detail = "this API lends no sessions (DESKHAND_MAX_SESSIONS)"
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
        if self._places.total() >= most:
            raise _make_no_room(f"{most} sessions are open, as many as may be")
        if not capacity:
            raise _make_no_room(f"no {env} host answers")
        share = int(capacity * self._settings.session_share)
        if self._places[env] >= max(1, share):
            raise _make_no_room(
                f"sessions have their share: {max(1, share)} of {capacity} places of {env} hosts"
            )
        if not share and time.monotonic() < self._rests_until.get(env, 0):
            raise _make_no_room(f"the {env} rests for tasks that wait")

    async def _give_back(self, session: OpenSession) -> None:
        env = session.task.env
        try:
            await session.remote.close()
        finally:
            session.host.in_flight -= 1
            self._places[env] -= 1
            self._rests_until[env] = time.monotonic() + REST_S

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(REAP_EVERY_S)
            now = time.monotonic()
            over = [(key, session.why_over(now)) for key, session in self._open.items()]
            await asyncio.gather(*(self.end(key, reason) for key, reason in over if reason))


async def _capacity(hosts: Collection[Host]) -> int:
    """Sessions that those of the hosts that answer have room for, in all."""

    async def ask(host: Host) -> int:
        try:
            return int((await host.client.health())["capacity"])
        except (EpisodeFault, HostBusy):
            return 0

    return sum(await asyncio.gather(*(ask(host) for host in hosts)))


def _make_no_room(detail: str) -> ApiError:
    return ApiError(
        HTTPStatus.SERVICE_UNAVAILABLE, f"{detail}; try again later", retry_after_s=RETRY_S
    )


def _make_refusal(fault: EpisodeFault) -> ApiError:
    """Of a session that could not be put into its first state."""
    if fault.reason is InvalidReason.UNRUNNABLE:
        return ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, fault.detail)
    return ApiError(HTTPStatus.BAD_GATEWAY, f"no session could be started ({fault})")
