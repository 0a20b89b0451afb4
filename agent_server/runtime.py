"""What a worker process runs episodes with: one event loop, its sessions, its policy, its leases.

Guarantees: every episode that was leased here ends here with `finish`, or its lease is lost and
nothing it did counts; leases of the whole process are renewed in one statement; stopping ends the
running episodes as `invalid(worker_lost)`, so that they are dispatched again elsewhere.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import socket
import threading
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import uuid4

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from agent_server.agents.agent import LONGEST_S, Agent
from agent_server.episodes.recorder import Recorder
from agent_server.episodes.result import EpisodeResult
from agent_server.episodes.runner import run_episode
from agent_server.policy.policy import Sampling
from agent_server.settings import Settings
from agent_server.store.artifacts import ArtifactError, Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.outcomes import POLICY_FAULTS, EpisodeFault, InvalidReason, Status
from envs.session import Session
from envs.tasks import Env, Task

log = logging.getLogger(__name__)

SESSION_WAIT_S = 120.0
"""Longest wait for a free session; the lease is renewed meanwhile."""
GRACE_S = 180.0
"""What reset, the last step and the verdict may take beyond an episode's own time limit."""
START_S = 30.0


class Backends(Protocol):
    """Where sessions and agents come from. All methods are called on the runtime's loop.

    A session whose `async with` body raises is closed, one whose body ends is used again."""

    async def open(self) -> None: ...

    def session(self, env: Env) -> AbstractAsyncContextManager[Session]: ...

    def agent(self, name: str, task: Task) -> Agent:
        """For one episode of the policy of that name. Raises EpisodeFault."""
        ...

    async def close(self) -> None: ...


@dataclass(slots=True)
class _Running:
    attempt: asyncio.Task[Any]
    cancelled: bool = False
    lost: bool = False


class _SessionUnwell(Exception):
    """Carries a result out of a session that must not be used again."""

    def __init__(self, result: EpisodeResult) -> None:
        super().__init__(result)
        self.result = result


class Runtime:
    """Owns the loop's thread. `run` is called from any thread and blocks until the end."""

    def __init__(self, settings: Settings, store: Store, backends: Backends) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._settings = settings
        self._store = store
        self._backends = backends
        self._artifacts = Artifacts(settings.artifacts)
        self._running: dict[str, _Running] = {}
        self._stopping = threading.Event()
        self._disk_full = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="episodes", daemon=True)
        self._heartbeat: concurrent.futures.Future[None] | None = None

    def start(self) -> None:
        self._thread.start()
        self._call(self._backends.open())
        self._heartbeat = asyncio.run_coroutine_threadsafe(self._beat(), self._loop)

    def begin_stop(self) -> None:
        """Takes nothing more and ends what runs; returns at once, may be called in a signal."""
        self._stopping.set()
        self._loop.call_soon_threadsafe(self._interrupt)

    def close(self) -> None:
        """After `begin_stop` and once no `run` is left."""
        self.begin_stop()
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        self._call(self._backends.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=START_S)

    def run(self, episode_id: str) -> EpisodeResult | None:
        """Runs the episode if it is to be run; None if it is not, or was lost meanwhile."""
        if self._stopping.is_set() or not self._disk_has_room():
            return None
        row = self._store.episodes.lease(episode_id, self.owner)
        if row is None:
            log.debug("%s is not to be run (any more)", episode_id)
            return None
        result = self._recorded(row)
        if result is None or not self._store.episodes.finish(row.id, self.owner, result):
            log.warning("%s: the lease was lost; what it did here does not count", row.id)
            return None
        if result.status is Status.INVALID:
            log.warning("%s: %s: %s", row.id, result.reason, result.detail)
        return result

    def _recorded(self, row: Episode) -> EpisodeResult | None:
        try:
            task = Task.model_validate(row.task)
            sampling = Sampling.model_validate(row.sampling)
        except ValidationError as error:
            return EpisodeResult.invalid(
                EpisodeFault(InvalidReason.RESET, f"the task cannot be read: {error}")
            )
        try:
            with Recorder(self._artifacts, row.id) as recorder:
                limit = SESSION_WAIT_S + task.limits.max_seconds + 2 * GRACE_S + LONGEST_S
                result = self._wait(self._attempt(row, task, sampling, recorder), limit)
                if result is not None:
                    names = ("task", "run_id", "phase", "attempt", "policy")
                    about = {name: getattr(row, name) for name in names}
                    recorder.finish(result, about)
                return result
        except ArtifactError as error:
            log.error("%s: %s", row.id, error)
            return EpisodeResult.invalid(EpisodeFault(InvalidReason.WORKER_LOST, str(error)))

    def _wait(
        self, attempt: Coroutine[Any, Any, EpisodeResult | None], limit_s: float
    ) -> EpisodeResult | None:
        future = asyncio.run_coroutine_threadsafe(attempt, self._loop)
        try:
            return future.result(limit_s)
        except TimeoutError:
            future.cancel()
            return _lost(f"the worker's event loop did not end the episode in {limit_s:g} s")

    async def _attempt(
        self, row: Episode, task: Task, sampling: Sampling, recorder: Recorder
    ) -> EpisodeResult | None:
        current = asyncio.current_task()
        assert current is not None
        entry = self._running[row.id] = _Running(current)
        try:
            if self._stopping.is_set():
                return _lost("the worker was stopped")
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(SESSION_WAIT_S):
                    session = await stack.enter_async_context(self._backends.session(task.env))
                agent = self._backends.agent(row.policy, task)
                longest = task.limits.max_seconds + GRACE_S + agent.longest_s
                async with asyncio.timeout(longest):
                    result = await run_episode(
                        task,
                        session,
                        agent,
                        sampling,
                        task.limits,
                        recorder,
                        lambda: entry.cancelled,
                        tree_chars=self._settings.tree_chars,
                        tree_options=self._settings.tree_options,
                        screenshots=row.screenshots,
                    )
                if result.status is Status.INVALID and result.reason not in POLICY_FAULTS:
                    raise _SessionUnwell(result)
                return result
        except _SessionUnwell as unwell:
            return unwell.result
        except EpisodeFault as fault:
            return EpisodeResult.invalid(fault)
        except TimeoutError:
            return _lost("neither a session nor an end came in time")
        except asyncio.CancelledError:
            if entry.lost:
                return None
            if not self._stopping.is_set():
                raise
            return _lost("the worker was stopped")
        except ArtifactError:
            raise
        except Exception as error:
            # A bug in one episode must not take the others of this process with it, nor pass
            # for a failure of the policy.
            log.exception("%s: the worker failed", row.id)
            return _lost(f"the worker failed: {error!r}")
        finally:
            self._running.pop(row.id, None)

    async def _beat(self) -> None:
        """Renews every lease of this process in one statement, off the loop."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_s)
            ids = list(self._running)
            if not ids:
                continue
            try:
                renewal = await self._loop.run_in_executor(
                    None, self._store.episodes.renew, ids, self.owner
                )
            except SQLAlchemyError as error:
                log.warning("cannot renew %d leases, trying again: %s", len(ids), error)
                continue
            for episode_id in ids:
                entry = self._running.get(episode_id)
                if entry is None:
                    continue
                entry.cancelled = episode_id in renewal.cancelled
                if episode_id not in renewal.kept:
                    entry.lost = True
                    entry.attempt.cancel()

    def _interrupt(self) -> None:
        for entry in self._running.values():
            entry.attempt.cancel()

    def _disk_has_room(self) -> bool:
        """An episode that could not be written down is not begun; its row stays queued."""
        free = self._artifacts.free_bytes()
        needed = self._settings.min_free_mb * 2**20
        full = free is not None and free < needed
        if full and not self._disk_full:
            log.error(
                "no episode is started: less than %d MB are free for %s; free space there, or set "
                "DESKHAND_ARTIFACTS_URL to another disk",
                self._settings.min_free_mb,
                self._settings.artifacts,
            )
        self._disk_full = full
        return not full

    def _call(self, coroutine: Any) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(START_S)


def _lost(detail: str) -> EpisodeResult:
    return EpisodeResult.invalid(EpisodeFault(InvalidReason.WORKER_LOST, detail[:2000]))
