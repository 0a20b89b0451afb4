"""One round: load, the faults of a schedule, the wait until the system has recovered, the account.

Guarantees: a fault comes when the round has so many scored episodes; a round that makes no progress
for `STUCK_S` ends as a find; when it ends, no fault is left in the system and its episodes are
gone from table and disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError

from benchmarks.faults.accounts import Account, make_account
from benchmarks.faults.injections import Breach, NoTarget, inject
from benchmarks.faults.load import Load, wait_until_quiet
from benchmarks.faults.observer import Observer
from benchmarks.faults.schedule import Injection, Schedule
from benchmarks.faults.system import System
from benchmarks.faults.works import Work

STUCK_S = 180.0
"""Without a scored episode. The longest wait by design is for a desktop that hangs."""
QUIET_S = 240.0
"""For the retries of the last episodes."""
TURN_S = 0.1


class Applied(BaseModel):
    """What became of one injection. `recovery_s`: None where nothing ended well after it."""

    number: int
    kind: str
    progress: int = Field(description="scored episodes of the round at its moment")
    seconds: float
    recovery_s: float | None = None
    skipped: str = Field("", description="why it was not applied")
    breach: str = Field("", description="what the system did at once and must not")


class RoundResult(BaseModel):
    """A round as it is stored, one JSON line."""

    seed: int
    round: int
    profile: str
    commit: str
    seconds: float
    applied: list[Applied]
    account: Account
    restarts: dict[str, int] = Field(default_factory=dict)
    calls_failed: int = 0
    plain_500: int = Field(0, description="answers of the API that are no problem document")
    trouble: str = Field("", description="the round did not end by itself: why")

    @property
    def injected_count(self) -> int:
        """Faults that were applied."""
        return sum(not entry.skipped for entry in self.applied)

    @property
    def finds(self) -> list[str]:
        """What must not be."""
        lost_for_ever = [
            f"no recovery: {entry.kind} ({entry.number})"
            for entry in self.applied
            if not entry.skipped and entry.recovery_s is None
        ]
        breaches = [
            f"wrong: {entry.kind}: {entry.breach}" for entry in self.applied if entry.breach
        ]
        return (
            self.account.finds + breaches + lost_for_ever + ([self.trouble] if self.trouble else [])
        )


class Stuck(Exception):
    """Nothing was scored for STUCK_S."""


@dataclass(slots=True)
class _Round:
    system: System
    schedule: Schedule
    observer: Observer
    load: Load
    tell: Callable[[str], None]
    applied: dict[int, Applied] = field(default_factory=dict)
    times: dict[int, float] = field(default_factory=dict)
    under_way: set[asyncio.Task[None]] = field(default_factory=set)

    async def inject_all(self) -> None:
        for injection in self.schedule.injections:
            await self.wait(partial(self._has_scored, injection.after))
            task = asyncio.create_task(self._inject(injection))
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)
        await self.wait(lambda: not self.under_way)

    async def recover_all(self) -> None:
        await self.wait(lambda: all(self._recovery(n) is not None for n in self.times))

    async def wait(self, condition: Callable[[], bool]) -> None:
        """Raises Stuck, after `STUCK_S` without progress."""
        progress, since = self.observer.scored_count, time.monotonic()
        while not condition():
            await asyncio.sleep(TURN_S)
            if self.observer.scored_count != progress:
                progress, since = self.observer.scored_count, time.monotonic()
            if time.monotonic() - since > STUCK_S:
                raise Stuck(f"no progress in {STUCK_S:g} s after {progress} scored episodes")

    def _has_scored(self, count: int) -> bool:
        return self.observer.scored_count >= count

    def results(self) -> list[Applied]:
        return [
            entry.model_copy(update={"recovery_s": self._recovery(number)})
            for number, entry in sorted(self.applied.items())
        ]

    def _recovery(self, number: int) -> float | None:
        seconds = self.observer.recovery_s(self.times[number]) if number in self.times else None
        return None if seconds is None else round(seconds, 3)

    async def _inject(self, injection: Injection) -> None:
        await asyncio.sleep(injection.delay_s)
        entry = Applied(
            number=injection.number,
            kind=injection.kind,
            progress=self.observer.scored_count,
            seconds=injection.seconds,
        )
        self.applied[injection.number] = entry

        def note_start() -> None:
            self.times[injection.number] = time.monotonic()
            self.tell(f"{entry.progress:4} scored   {injection.kind}")

        try:
            await inject(self.system, injection, note_start)
        except Breach as breach:
            entry.breach = str(breach)
        except NoTarget as error:
            self.times.pop(injection.number, None)
            entry.skipped = str(error)[:200]


async def run_round(
    system: System,
    schedule: Schedule,
    works: Sequence[Work],
    calm_scores: Mapping[str, float],
    *,
    clients: int,
    commit: str,
    tell: Callable[[str], None],
) -> RoundResult:
    """Play a schedule. The system is usable for another round when the result has no trouble."""
    began, trouble = time.monotonic(), ""
    prefix = f"{schedule.profile}-{schedule.seed}-{schedule.round}-{began:.0f}"
    load = Load(system.api_url, system.stack.settings.api_key, works, prefix, clients)
    restarts_before = restarts_of(system)
    async with _observing(system) as observer, _loading(load) as loading:
        current = _Round(system, schedule, observer, load, tell)
        try:
            await current.inject_all()
            await current.recover_all()
            load.stop()
            await wait_until_quiet(load, QUIET_S)
        except Stuck as error:
            trouble = str(error)
        finally:
            load.stop()
            for task in current.under_way:
                task.cancel()
            await asyncio.gather(*current.under_way, return_exceptions=True)
            system.resume_all()
        if not trouble:
            trouble = _failure_of(system) or _failure_of_clients(loading)
        await _look_last(observer)
        account = await asyncio.to_thread(
            make_account,
            load.submissions,
            list(observer.attempts.values()),
            calm_scores,
            system.records,
        )
        result = RoundResult(
            seed=schedule.seed,
            round=schedule.round,
            profile=schedule.profile,
            commit=commit,
            seconds=round(time.monotonic() - began, 1),
            applied=current.results(),
            account=account,
            restarts={
                name: count - restarts_before.get(name, 0)
                for name, count in restarts_of(system).items()
                if count != restarts_before.get(name, 0)
            },
            calls_failed=load.calls_failed,
            plain_500=load.plain_500,
            trouble=trouble,
        )
    if not result.finds:
        await clear_system(system)
    return result


async def run_calm(
    system: System, works: Sequence[Work], name: str, clients: int, limit_s: float
) -> tuple[Load, Observer]:
    """Play each task once without faults. Raises TimeoutError."""
    load = Load(
        system.api_url, system.stack.settings.api_key, works, f"calm-{name}", clients, repeats=False
    )
    async with _observing(system) as observer:
        async with asyncio.timeout(limit_s):
            await load.run()
        await _look_last(observer)
    return load, observer


async def clear_system(system: System) -> None:
    """Remove the episodes of a round that has ended."""
    observer = Observer(system.postgres.url())
    try:
        await asyncio.to_thread(observer.clear)
    finally:
        observer.close()
    await asyncio.to_thread(shutil.rmtree, system.records, ignore_errors=True)


def restarts_of(system: System) -> dict[str, int]:
    """Restarts so far by child."""
    children = (*system.services.children, *system.stack.supervisor.children)
    return {child.name: child.restarts for child in children}


def _failure_of(system: System) -> str:
    for supervisor in (system.services, system.stack.supervisor):
        failure = supervisor.failure
        if failure is not None and failure.done() and not failure.cancelled():
            return f"a child could not be kept running: {failure.exception()}"
    return ""


def _failure_of_clients(loading: asyncio.Task[None]) -> str:
    error = loading.exception() if loading.done() else None
    return f"a client failed: {error!r}" if error else ""


async def _look_last(observer: Observer) -> None:
    for _ in range(60):
        with contextlib.suppress(SQLAlchemyError):
            await asyncio.to_thread(observer.look)
            return
        await asyncio.sleep(0.5)


@contextlib.asynccontextmanager
async def _observing(system: System) -> AsyncIterator[Observer]:
    observer = Observer(system.postgres.url())
    task = asyncio.create_task(observer.run())
    try:
        yield observer
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        observer.close()


@contextlib.asynccontextmanager
async def _loading(load: Load) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(load.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
