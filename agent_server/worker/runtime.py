"""What a worker runs: one event loop with its episodes (`process.py` receives them).

A thread of Celery's leases the row of an episode, hands it to the event loop and
waits. SIGTERM stops taking messages, lets the running episodes go on for `drain_s`, ends the others
as lost and closes their sessions.

Guarantees: every episode leased by this process ends with `finish`, or its lease is lost and
nothing that it did counts; all leases of the process are renewed in one statement; a stop ends what
has not begun at once, and what runs after `drain_s`, as `invalid(worker_lost)`, so that it is
dispatched again elsewhere.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import random
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import uuid4

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from agent_server.approvals.gate import MAX_WAITS_S, PersonGate
from agent_server.episodes.agent import LONGEST_S, Agent, Sampling
from agent_server.episodes.control import Control
from agent_server.episodes.replay import ReplayAgent
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.settings import Settings
from agent_server.store.artifacts import ArtifactError, Artifacts, Recorder
from agent_server.store.episodes import make_reference
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.store.workers import Offer
from agent_server.worker.belongings import BelongingsStore
from agent_server.worker.meter import Meter
from agent_server.worker.store_control import StoreControl
from agent_server.worker.watchdog import Watchdog
from envs.client import RemoteSession
from envs.contract.approval import describe_approval
from envs.contract.outcomes import POLICY_FAULTS, EpisodeFault, InvalidReason, Status
from envs.contract.session import Session
from envs.contract.task import Env, Task
from envs.io.episode_log import log_for
from envs.io.traces import span

log = logging.getLogger(__name__)

SESSION_WAIT_S = 24 * 3600.0
"""A guard only: while all sessions are in use, an episode waits for its turn, its lease is renewed,
and it can be cancelled. Hosts that fail do so much earlier."""
GRACE_S = 180.0
"""Time for reset, the last step and the verdict beyond an episode's own time limit."""
START_S = 30.0
FINISH_S = 600.0
FINISH_AGAIN_S = 1.0
STOPPED = "the worker was stopped"


class Backends(Protocol):
    """Source of sessions and agents. All methods are called on the runtime's loop."""

    async def open(self) -> None:
        """Connect; called once, before any other method."""
        ...

    def offer(self) -> Offer:
        """What can be run here."""
        ...

    def session(self, env: Env) -> AbstractAsyncContextManager[Session]:
        """A session for one episode. It is closed if the body of the `async with` raises, and
        otherwise used again."""
        ...

    def agent(self, name: str, task: Task) -> Agent:
        """The agent of that name, for one episode. Raises EpisodeFault."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...


@dataclass(slots=True)
class _Running:
    asyncio_task: asyncio.Task[Any]
    waits: bool = True
    """For its session: nothing in that wait looks whether it was cancelled."""
    cancelled: bool = False
    lost: bool = False


class _UnhealthySession(Exception):
    """Carries a result out of a session that must not be used again."""

    def __init__(self, result: EpisodeResult) -> None:
        super().__init__(result)
        self.result = result


class Runtime:
    """Owns the loop's thread. `run` is called from any thread and blocks until the episode ends."""

    def __init__(self, settings: Settings, store: Store, backends: Backends) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._settings = settings
        self._store = store
        self._backends = backends
        self._artifacts = Artifacts(settings.artifacts)
        self._belongings = BelongingsStore(settings, self._artifacts)
        self._running: dict[str, _Running] = {}
        self._stopping = threading.Event()
        self._disk_full = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="episodes", daemon=True)
        self._heartbeat: concurrent.futures.Future[None] | None = None
        self._finishing: set[str] = set()
        self._watchdog = Watchdog(self._loop, settings.hang_s, settings.alive_file)

    def start(self) -> None:
        """Start the loop, the backends and the heartbeat."""
        self._thread.start()
        self._watchdog.start()
        self._call(self._backends.open())
        self._report()
        self._heartbeat = asyncio.run_coroutine_threadsafe(self._beat(), self._loop)

    def begin_stop(self) -> None:
        """Take no more episodes, and end the running ones once `drain_s` is over. Returns at once;
        safe in a signal handler."""
        # Set first: an episode that is leased from now on sees it before it opens a session.
        self._stopping.set()
        if self._settings.drain_s:
            self._loop.call_soon_threadsafe(self._drain)
        else:
            self._loop.call_soon_threadsafe(self._cancel_all)

    def _drain(self) -> None:
        """What waits for a session has not begun: it is handed back now, the rest later."""
        for entry in self._running.values():
            if entry.waits:
                entry.asyncio_task.cancel()
        self._loop.call_later(self._settings.drain_s, self._cancel_all)

    def close(self) -> None:
        """Stop the loop. Call it after `begin_stop`, once no `run` is left."""
        self._stopping.set()
        self._loop.call_soon_threadsafe(self._cancel_all)
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        try:
            self._store.workers.leave(self.owner)
        except SQLAlchemyError as error:
            log.warning("the database does not know that this worker stops: %s", error)
        self._watchdog.stop()
        self._call(self._backends.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=START_S)

    def run(self, episode_id: str) -> EpisodeResult | None:
        """Run the episode if it is queued; None if it is not, or if its lease was lost."""
        if self._stopping.is_set() or not self._watchdog.is_loop_alive:
            return None
        # Before the lease: the row stays queued for a worker with room.
        if not self._disk_has_room():
            return None
        row = self._store.episodes.lease_first(episode_id, self.owner)
        if row is None:
            log.debug("%s is not queued any more", episode_id)
            return None
        # Not of the message, which may run another episode than the one that it names.
        with log_for(row.id), span("episode", episode_id=row.id, run_id=row.run_id):
            result = self._run_recorded(row)
            if result is None or not self._finish(row.id, result):
                log.warning("%s: the lease was lost; this attempt does not count", row.id)
                return None
            if result.status is Status.INVALID:
                log.warning("%s: %s: %s", row.id, result.reason, result.detail)
            return result

    def _finish(self, episode_id: str, result: EpisodeResult) -> bool:
        """Record the result. A database that is away must not cost a verdict: the lease is renewed
        and it is tried again, for FINISH_S."""
        deadline = time.monotonic() + FINISH_S
        # The heartbeat goes on renewing this lease, though the episode no longer runs.
        self._finishing.add(episode_id)
        try:
            while True:
                try:
                    return self._store.episodes.finish(episode_id, self.owner, result)
                except SQLAlchemyError as error:
                    if time.monotonic() > deadline:
                        log.error("%s: its result is lost: %s", episode_id, error)
                        return False
                    log.warning("%s: cannot record its result, trying again: %s", episode_id, error)
                time.sleep(FINISH_AGAIN_S)
        finally:
            self._finishing.discard(episode_id)

    def _run_recorded(self, row: Episode) -> EpisodeResult | None:
        try:
            task = Task.model_validate(row.task)
            sampling = Sampling.model_validate(row.sampling)
        except ValidationError as error:
            return EpisodeResult.invalid(
                EpisodeFault(InvalidReason.UNRUNNABLE, f"the task cannot be read: {error}")
            )
        meter = Meter(self._store.quotas, row.key_name)
        try:
            used_up = meter.charge()
            if used_up is not None:
                return EpisodeResult(Status.CANCELLED, detail=used_up)
            with Recorder(self._artifacts, row.id) as recorder:
                # More than all limits inside together: it ends only an event loop that hangs.
                limit = SESSION_WAIT_S + self._longest_s(row, task) + 2 * GRACE_S + LONGEST_S
                limit += MAX_WAITS_S if task.approve is not None else 0.0
                result = self._wait(self._run_on_loop(row, task, sampling, recorder, meter), limit)
                if result is not None:
                    names = ("run_id", "phase", "attempt", "policy")
                    row_fields = {name: getattr(row, name) for name in names}
                    row_fields["task"] = make_reference(row.task)
                    recorder.finish(result, row_fields)
                return result
        except ArtifactError as error:
            log.error("%s: %s", row.id, error)
            return EpisodeResult.invalid(EpisodeFault(InvalidReason.WORKER_LOST, str(error)))
        finally:
            meter.charge(is_over=True)

    def _wait(
        self, run: Coroutine[Any, Any, EpisodeResult | None], limit_s: float
    ) -> EpisodeResult | None:
        future = asyncio.run_coroutine_threadsafe(run, self._loop)
        try:
            return future.result(limit_s)
        except TimeoutError:
            future.cancel()
            return _lost_result(f"the worker's event loop did not end the episode in {limit_s:g} s")

    async def _run_on_loop(
        self, row: Episode, task: Task, sampling: Sampling, recorder: Recorder, meter: Meter
    ) -> EpisodeResult | None:
        current = asyncio.current_task()
        assert current is not None
        running = self._running[row.id] = _Running(current)
        try:
            if self._stopping.is_set():
                return _lost_result(STOPPED)
            # Before the session: an agent that cannot be made would only occupy one.
            agent = self._with_replay(
                row, self._backends.agent(row.policy, _with_words_on_approval(task))
            )
            belongings = await asyncio.to_thread(self._belongings.load, row.root_id, task)
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(SESSION_WAIT_S):
                    session = await stack.enter_async_context(self._backends.session(task.env))
                # From here on the runner itself sees a cancellation, between two steps.
                running.waits = False
                lent = session
                if isinstance(lent, RemoteSession):
                    session = await belongings.hand_over(lent, recorder)
                longest = self._longest_s(row, task) + GRACE_S + agent.longest_s
                async with asyncio.timeout(longest) as time_limit:
                    gate = self._make_gate(row, task, lent, running, time_limit)
                    result = await run_episode(
                        task,
                        session,
                        agent,
                        sampling,
                        task.limits,
                        recorder,
                        lambda: running.cancelled,
                        control=self._control_of(row, meter),
                        spending=meter.spending,
                        tree_chars=self._settings.tree_chars,
                        tree_options=self._settings.tree_options,
                        screenshots=row.screenshots,
                        gate=gate,
                    )
                if isinstance(lent, RemoteSession):
                    result = await belongings.take_back(lent, recorder, result)
                if result.status is Status.INVALID and result.reason not in POLICY_FAULTS:
                    # An exception, so that the session is closed and not kept for the next episode.
                    raise _UnhealthySession(result)
                return result
        except _UnhealthySession as unhealthy:
            return unhealthy.result
        except EpisodeFault as fault:
            return EpisodeResult.invalid(fault)
        except TimeoutError:
            return _lost_result("timeout: no session, or no end of the episode, in time")
        except asyncio.CancelledError:
            # Another worker has the episode: nothing may be recorded here.
            if running.lost:
                return None
            if running.cancelled and running.waits:
                return EpisodeResult(Status.CANCELLED)
            # Only a stop or a lost lease cancels an episode: anything else is a bug to be seen.
            if not self._stopping.is_set():
                raise
            return _lost_result(STOPPED)
        except ArtifactError:
            raise
        except Exception as error:
            # A bug in one episode must not take the others of this process with it, nor pass
            # for a failure of the policy.
            log.exception("%s: the worker failed", row.id)
            return _lost_result(f"the worker failed: {error!r}")
        finally:
            self._running.pop(row.id, None)

    def _with_replay(self, row: Episode, agent: Agent) -> Agent:
        """The agent, which begins with the steps that the episode repeats. Raises EpisodeFault."""
        if row.replay_of is None:
            return agent
        steps, _ = self._artifacts.read_page(row.replay_of, 0, row.replay_steps)
        if len(steps) < row.replay_steps:
            detail = f"{row.replay_of} has {len(steps)} recorded steps, not {row.replay_steps}"
            raise EpisodeFault(InvalidReason.UNRUNNABLE, detail)
        return ReplayAgent(agent, steps)

    def _control_of(self, row: Episode, meter: Meter) -> Control | None:
        """How the owner of a task steers it, and a key's limits end it; other episodes have
        none."""
        if row.purpose != "api" and not meter.has_key:
            return None
        return StoreControl(self._store.control, row.id, self._settings.pause_max_s, meter)

    def _longest_s(self, row: Episode, task: Task) -> float:
        """The time limit, with pauses."""
        pauses_s = self._settings.pause_max_s if row.purpose == "api" else 0.0
        return task.limits.max_seconds + pauses_s

    def _make_gate(
        self,
        row: Episode,
        task: Task,
        session: Session,
        running: _Running,
        time_limit: asyncio.Timeout,
    ) -> PersonGate | None:
        """What holds risky actions back; None where no action of the task waits."""
        if task.approve is None or not task.approve.is_on:
            return None
        return PersonGate(
            task,
            row,
            session,
            self._store.approvals,
            lambda: running.cancelled,
            lambda: _stop_clock(time_limit),
        )

    async def _beat(self) -> None:
        """Every heartbeat, off the loop: renews all leases of this process in one statement and
        tells what it offers."""
        while True:
            try:
                await self._renew_leases()
                await asyncio.to_thread(self._report)
            except Exception as error:
                # Without heartbeats every episode of this process would be lost.
                log.warning("a heartbeat failed, trying again: %r", error)
            await asyncio.sleep(make_pause(self._settings.heartbeat_s))

    async def _renew_leases(self) -> None:
        ids = [*self._running, *self._finishing]
        if not ids:
            return
        renewal = await asyncio.to_thread(self._store.episodes.renew, ids, self.owner)
        for episode_id in ids:
            # It ended while the database was asked.
            running = self._running.get(episode_id)
            if running is None:
                continue
            running.cancelled = episode_id in renewal.cancelled
            # Once lost it stays lost, even if a later renewal should find the row again.
            running.lost = running.lost or episode_id not in renewal.kept
            if running.lost or (running.cancelled and running.waits):
                running.asyncio_task.cancel()

    def _report(self) -> None:
        has_room = self._disk_has_room()
        problem = None if has_room else f"the disk of {self._settings.artifacts} is full"
        if self._stopping.is_set():
            problem = "it is being stopped"
        self._store.workers.report(self.owner, self._backends.offer(), problem)

    def _cancel_all(self) -> None:
        for entry in self._running.values():
            entry.asyncio_task.cancel()

    def _disk_has_room(self) -> bool:
        """Whether an episode could be recorded; without room none is started, rows stay queued."""
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


def make_pause(heartbeat_s: float) -> float:
    """Until the next heartbeat: a little less than it may be, and never the same, so that workers
    that were started together do not ask the database together for ever."""
    return heartbeat_s * random.uniform(0.75, 1.0)


def _with_words_on_approval(task: Task) -> Task:
    """The task as its agent reads it. The gate judges by the user's own words alone."""
    if task.approve is None or not task.approve.is_on:
        return task
    instruction = f"{task.instruction}\n\n{describe_approval()}"
    return task.model_copy(update={"instruction": instruction})


@contextlib.contextmanager
def _stop_clock(time_limit: asyncio.Timeout) -> Iterator[None]:
    """A limit that stands still while a person is waited for."""
    loop = asyncio.get_running_loop()
    ends_at = time_limit.when()
    left_s = None if ends_at is None else ends_at - loop.time()
    time_limit.reschedule(None)
    try:
        yield
    finally:
        time_limit.reschedule(None if left_s is None else loop.time() + left_s)


def _lost_result(detail: str) -> EpisodeResult:
    return EpisodeResult.invalid(EpisodeFault(InvalidReason.WORKER_LOST, detail[:2000]))
