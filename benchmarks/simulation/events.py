"""A clock, what is queued for, and processes that wait: a small discrete-event simulator.

A process is a generator that yields what it waits for: `Sleep`, `Work` at a station, `Enter` a
place, or `Ask` a batcher. Guarantees: what is due at one moment happens in the order in which it
was asked for, so that a run depends on its seed alone; a station never works on more than it has
servers; nobody enters a place that is full. Times are seconds.
"""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

Resume = Callable[[], None]
LEAST_S = 1e-12
"""Work that is left by rounding alone."""


class Waits(Protocol):
    """What a process yields."""

    def begin(self, clock: Clock, resume: Resume) -> None:
        """Calls `resume` once the wait is over."""
        ...


Process = Generator[Waits, None, None]


class Clock:
    """Simulated time, and all that will happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, int, Resume]] = []
        self._numbers = itertools.count()

    def schedule(self, seconds: float, action: Resume) -> None:
        """Have something happen so many seconds from now."""
        heapq.heappush(self._due, (self.now + seconds, next(self._numbers), action))

    def start(self, process: Process) -> None:
        """Run a process up to its first wait, and on from there as time passes."""
        wait = next(process, None)
        if wait is not None:
            wait.begin(self, partial(self.start, process))

    def run(self, until: float) -> None:
        """Let everything happen that is due by then."""
        while self._due and self._due[0][0] <= until:
            self.now, _, action = heapq.heappop(self._due)
            action()
        self.now = until

    def run_while(self, is_running: Callable[[], bool]) -> None:
        """Let things happen while a condition holds. Raises RuntimeError if nothing is left."""
        while is_running():
            if not self._due:
                raise RuntimeError("everything waits for something that will never happen")
            self.now, _, action = heapq.heappop(self._due)
            action()


@dataclass(frozen=True, slots=True)
class Sleep:
    """A wait that occupies nothing."""

    seconds: float

    def begin(self, clock: Clock, resume: Resume) -> None:
        """See `Waits`."""
        clock.schedule(self.seconds, resume)


@dataclass(slots=True)
class Station:
    """Servers with one queue: processors, a database. Who needs longer than `quantum_s` goes to
    the end of the queue again, as threads do. `busy_s`: seconds of all servers together."""

    servers: int
    quantum_s: float = float("inf")
    busy_s: float = 0.0
    queued_s: list[float] = field(default_factory=list)
    """Of each work that has ended, the time in which it was not served."""
    _busy: int = 0
    _queue: deque[_Job] = field(default_factory=deque)

    def serve(self, clock: Clock, job: _Job) -> None:
        """Queue work."""
        self._queue.append(job)
        self._serve_next(clock)

    def _serve_next(self, clock: Clock) -> None:
        while self._queue and self._busy < self.servers:
            job = self._queue.popleft()
            turn_s = min(job.left_s, self.quantum_s)
            self._busy += 1
            self.busy_s += turn_s
            clock.schedule(turn_s, partial(self._end_turn, clock, job, turn_s))

    def _end_turn(self, clock: Clock, job: _Job, turn_s: float) -> None:
        self._busy -= 1
        job.left_s -= turn_s
        if job.left_s > LEAST_S:
            self._queue.append(job)
        else:
            self.queued_s.append(clock.now - job.since - job.seconds)
            job.resume()
        self._serve_next(clock)


@dataclass(slots=True)
class _Job:
    seconds: float
    resume: Resume
    since: float
    left_s: float


@dataclass(frozen=True, slots=True)
class Work:
    """So many seconds of one server of a station, and the queue before it."""

    station: Station
    seconds: float

    def begin(self, clock: Clock, resume: Resume) -> None:
        """See `Waits`."""
        self.station.serve(clock, _Job(self.seconds, resume, clock.now, self.seconds))


@dataclass(slots=True)
class Place:
    """Room for so many processes at once: sessions of a host, the one thread of a program."""

    room: int
    waited_s: list[float] = field(default_factory=list)
    inside: int = 0
    _waiting: deque[tuple[Resume, float]] = field(default_factory=deque)

    def enter(self, clock: Clock, resume: Resume) -> None:
        """Go in now or after all who came before."""
        if self.inside < self.room:
            self.inside += 1
            self.waited_s.append(0.0)
            resume()
        else:
            self._waiting.append((resume, clock.now))

    def leave(self, clock: Clock) -> None:
        """Give the room to who waits longest."""
        if not self._waiting:
            self.inside -= 1
            return
        resume, since = self._waiting.popleft()
        self.waited_s.append(clock.now - since)
        # Not at once: who leaves has more to do before the next one runs.
        clock.schedule(0.0, resume)


@dataclass(frozen=True, slots=True)
class Enter:
    """The wait for a place; `place.leave` ends the stay."""

    place: Place

    def begin(self, clock: Clock, resume: Resume) -> None:
        """See `Waits`."""
        self.place.enter(clock, resume)


@dataclass(slots=True)
class Batcher:
    """A server that answers up to `room` requests together, the slower the more there are.

    `latency_s[i]`: of a request while `sizes[i]` are under way, on straight lines in between and
    beyond. All under way progress equally, as in continuous batching (Orca, OSDI 2022)."""

    sizes: Sequence[float]
    latency_s: Sequence[float]
    room: int
    answered: int = 0
    busy_s: float = 0.0
    _progress: float = 0.0
    """Requests of size 1 that one who was there from the start would have had by now."""
    _at: float = 0.0
    _under_way: list[tuple[float, int, Resume]] = field(default_factory=list)
    _waiting: deque[tuple[float, Resume]] = field(default_factory=deque)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _plan: int = 0

    def latency(self, count: float) -> float:
        """Seconds of a request of size 1 among `count`."""
        if len(self.sizes) == 1:
            return self.latency_s[0]
        right = min(max(bisect_left(self.sizes, count), 1), len(self.sizes) - 1)
        left = right - 1
        width = self.sizes[right] - self.sizes[left]
        share = (count - self.sizes[left]) / width
        line = self.latency_s[left] + share * (self.latency_s[right] - self.latency_s[left])
        return max(line, LEAST_S)

    def ask(self, clock: Clock, size: float, resume: Resume) -> None:
        """Queue a request; `size` 1 is the one that was measured."""
        self._advance(clock)
        if len(self._under_way) < self.room:
            heapq.heappush(self._under_way, (self._progress + size, next(self._numbers), resume))
        else:
            self._waiting.append((size, resume))
        self._plan_next(clock)

    def _advance(self, clock: Clock) -> None:
        if self._under_way:
            passed_s = clock.now - self._at
            self.busy_s += passed_s
            self._progress += passed_s / self.latency(len(self._under_way))
        self._at = clock.now

    def _plan_next(self, clock: Clock) -> None:
        # Each arrival and each end changes the speed: plans made before it are void.
        self._plan += 1
        if self._under_way:
            left = max(self._under_way[0][0] - self._progress, 0.0)
            seconds = left * self.latency(len(self._under_way))
            clock.schedule(seconds, partial(self._end_first, clock, self._plan))

    def _end_first(self, clock: Clock, plan: int) -> None:
        if plan != self._plan:
            return
        self._advance(clock)
        _, _, resume = heapq.heappop(self._under_way)
        self.answered += 1
        if self._waiting:
            size, next_resume = self._waiting.popleft()
            entry = (self._progress + size, next(self._numbers), next_resume)
            heapq.heappush(self._under_way, entry)
        self._plan_next(clock)
        resume()


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a batcher."""

    batcher: Batcher
    size: float = 1.0

    def begin(self, clock: Clock, resume: Resume) -> None:
        """See `Waits`."""
        self.batcher.ask(clock, self.size, resume)
