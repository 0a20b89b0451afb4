"""The model: how episodes pass through workers, sessions, processors, policy and database.

A machine has processors and one process of each program; a worker, env host, gym server or browser
does one thing at a time, a page has a renderer of its own. An episode is queued, takes a session,
then by turns waits for its policy and keeps the machine busy. Guarantees: every episode that begins
ends once; the same costs, plan and seed give the same outcome. Times are seconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from statistics import fmean

from benchmarks.simulation.events import (
    Ask,
    Batcher,
    Clock,
    Enter,
    Place,
    Process,
    Sleep,
    Station,
    Work,
)

QUANTUM_S = 0.004
"""For so long a thread keeps a processor that others wait for: Linux' base slice on few cores."""
OTHERS = 2
"""Streams of work that is not ours."""
FIRST_S = 5.0
"""Sessions without end begin within this time, not all at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeCosts:
    """One measured episode. `around_s`: its lease, records and result, seconds."""

    steps: int
    reset_s: float
    step_s: float
    evaluate_s: float
    around_s: float

    @property
    def busy_s(self) -> float:
        """Seconds in which its environment works."""
        return self.around_s + self.reset_s + self.evaluate_s + self.steps * self.step_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What episodes cost. `shares`: processor seconds by program for each second that an
    environment works; `database_s`, `broker_s`: of one episode; `beat_s`: of a worker's heartbeat
    in the database; `dispatch_s`: of the one process that sends episodes."""

    episodes: tuple[EpisodeCosts, ...]
    shares: dict[str, float]
    alone: frozenset[str] = frozenset()
    database_s: float = 0.0
    broker_s: float = 0.0
    beat_s: float = 0.0
    dispatch_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Servers with batching, each of them for an equal part of the machines; without `sizes` every
    answer takes `think_s`."""

    think_s: float = 0.0
    servers: int = 1
    sizes: tuple[float, ...] = ()
    latency_s: tuple[float, ...] = ()
    room: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is simulated: `episodes` that are submitted together, or `seconds` in which there is
    always more to do."""

    machines: int
    sessions: int
    cores: int
    policy: Policy
    episodes: int = 0
    seconds: float = 0.0
    other_cores: float = 0.0
    database_cores: int = 2
    beat_every_s: float = 4.4
    """Mean pause between two heartbeats of a worker; each machine has one."""


@dataclass(slots=True)
class Machine:
    """What the episodes of one machine share."""

    sessions: Place
    cores: Station
    programs: dict[str, Place]


@dataclass(slots=True)
class Outcome:
    """What came of it. `busy`: share of the time by what is shared, all machines together."""

    seconds: float = 0.0
    steps: int = 0
    begun: int = 0
    ended: int = 0
    queued_s: list[float] = field(default_factory=list)
    step_s: list[float] = field(default_factory=list)
    database_queued_s: list[float] = field(default_factory=list)
    busy: dict[str, float] = field(default_factory=dict)

    @property
    def steps_per_s(self) -> float:
        """Steps of all sessions together."""
        return self.steps / self.seconds


def simulate(costs: Costs, plan: Plan, seed: int = 0) -> Outcome:
    """Runs a plan. Raises RuntimeError where an episode waits for ever."""
    return _Simulation(costs, plan, seed).run()


class _Simulation:
    def __init__(self, costs: Costs, plan: Plan, seed: int) -> None:
        self.costs, self.plan, self.rng = costs, plan, random.Random(seed)
        self.clock, self.outcome = Clock(), Outcome()
        self.database, self.broker = Station(plan.database_cores), Station(1)
        self.dispatcher = Station(1)
        self.machines = [self._make_machine() for _ in range(plan.machines)]
        policy = plan.policy
        self.batchers = [
            Batcher(policy.sizes, policy.latency_s, policy.room)
            for _ in range(policy.servers if policy.sizes else 0)
        ]

    def _make_machine(self) -> Machine:
        programs = {name: Place(1) for name in self.costs.alone}
        return Machine(Place(self.plan.sessions), Station(self.plan.cores, QUANTUM_S), programs)

    def run(self) -> Outcome:
        for machine in self.machines:
            self.clock.start(self._beat())
            for _ in range(OTHERS if self.plan.other_cores else 0):
                self.clock.start(self._work_for_others(machine))
        if self.plan.episodes:
            for number in range(self.plan.episodes):
                # Episodes of one queue go to whoever has room; machines are alike.
                self.clock.start(self._play(number % len(self.machines)))
            self.clock.run_while(lambda: self.outcome.ended < self.plan.episodes)
        else:
            for number in range(len(self.machines)):
                for _ in range(self.plan.sessions):
                    self.clock.start(self._play_for_ever(number))
            self.clock.run(self.plan.seconds)
        self._sum_up()
        return self.outcome

    def _sum_up(self) -> None:
        outcome, plan = self.outcome, self.plan
        seconds = outcome.seconds = self.clock.now
        outcome.database_queued_s = self.database.queued_s
        cores = len(self.machines) * plan.cores
        outcome.busy = {
            "processors": sum(machine.cores.busy_s for machine in self.machines) / seconds / cores,
            "database": self.database.busy_s / seconds / plan.database_cores,
            "broker": self.broker.busy_s / seconds,
            "dispatcher": self.dispatcher.busy_s / seconds,
        }
        if self.batchers:
            # By requests in flight: a batcher that has one is never idle, yet far from its limit.
            most = (
                len(self.batchers) * plan.policy.room / self.batchers[0].latency(plan.policy.room)
            )
            answered = sum(batcher.answered for batcher in self.batchers)
            outcome.busy["policy"] = answered / seconds / most

    def _play_for_ever(self, number: int) -> Process:
        yield Sleep(self.rng.uniform(0.0, FIRST_S))
        while True:
            yield from self._play(number)

    def _play(self, number: int) -> Process:
        """One episode, from its submission to its end."""
        machine, costs, clock = self.machines[number], self.costs, self.clock
        cost = self.rng.choice(costs.episodes)
        since = clock.now
        self.outcome.begun += 1
        yield Work(self.dispatcher, costs.dispatch_s)
        yield Work(self.broker, costs.broker_s)
        yield Enter(machine.sessions)
        # Leases and results are about equally long; the rest of a worker's statements is short.
        yield Work(self.database, costs.database_s / 2)
        self.outcome.queued_s.append(clock.now - since)
        yield from self._keep_busy(machine, cost.around_s)
        yield from self._keep_busy(machine, cost.reset_s)
        for _ in range(cost.steps):
            yield self._think(number)
            acted = clock.now
            yield from self._keep_busy(machine, cost.step_s)
            self.outcome.step_s.append(clock.now - acted)
            self.outcome.steps += 1
        yield from self._keep_busy(machine, cost.evaluate_s)
        yield Work(self.database, costs.database_s / 2)
        machine.sessions.leave(clock)
        self.outcome.ended += 1

    def _think(self, number: int) -> Ask | Sleep:
        if not self.batchers:
            return Sleep(self.plan.policy.think_s)
        return Ask(self.batchers[number % len(self.batchers)])

    def _keep_busy(self, machine: Machine, seconds: float) -> Process:
        """What took so long with nobody else there: the work of each program, and the rest of the
        time nothing. Work that would not fit into the time was done beside the other."""
        shares = self.costs.shares
        total = sum(shares.values())
        on_path = min(1.0, 1.0 / total) if total else 0.0
        for name, share in shares.items():
            program = machine.programs.get(name)
            if program is not None:
                yield Enter(program)
            yield Work(machine.cores, seconds * share * on_path)
            if program is not None:
                program.leave(self.clock)
        if total > 1.0:
            self.clock.start(_work(machine.cores, seconds * (total - 1.0)))
        elif total < 1.0:
            yield Sleep(seconds * (1.0 - total))

    def _work_for_others(self, machine: Machine) -> Process:
        """Comes at its own rate, whatever we do: it has priority."""
        share = min(self.plan.other_cores / OTHERS, 0.999)
        while True:
            yield Sleep(self.rng.expovariate(share / QUANTUM_S))
            self.clock.start(_work(machine.cores, QUANTUM_S))

    def _beat(self) -> Process:
        while True:
            yield Sleep(self.plan.beat_every_s * self.rng.uniform(0.86, 1.14))
            yield Work(self.database, self.costs.beat_s)


def _work(station: Station, seconds: float) -> Process:
    yield Work(station, seconds)


def get_capacity(costs: Costs, plan: Plan) -> float:
    """Steps/s that processors, sessions and policy cannot exceed, whatever the order."""
    steps = fmean(each.steps for each in costs.episodes)
    busy_s = fmean(each.busy_s for each in costs.episodes)
    work_s = busy_s * sum(costs.shares.values())
    cores = plan.machines * plan.cores
    by_cores = cores * steps / work_s if work_s else float("inf")
    policy = plan.policy
    think_s = min(policy.latency_s) if policy.sizes else policy.think_s
    alone_s = busy_s + steps * think_s
    by_sessions = plan.machines * plan.sessions * steps / alone_s if alone_s else float("inf")
    return min(by_cores, by_sessions)
