"""The course of a training run on a cluster: machines are taken away in mid-run and come back.

A browser machine loses its cable, and its power while nobody can see it; another one's cable is
out for a moment; a worker's machine loses its power.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import select
from sqlmodel import col

from agent_server.store.store import Store
from agent_server.store.tables import Episode, utcnow
from benchmarks.cluster.account import EpisodeEnd, Outage
from benchmarks.cluster.cluster import Cluster
from benchmarks.cluster.parts import BROWSERS, RUN, TRAINER, WORKERS
from envs.contract.outcomes import Status

TRAIN_S = 1500.0
STEP_S = 300.0
"""Longest wait for the next thing that a run in progress does."""
AWAY_S = 30.0
BLIP_S = 4.0
DARK_S = 5.0
"""From the cable's loss to that of the power."""
SETTLED = 3
"""Episodes that a machine does after its return before the next one goes."""
PHASE = "reinforce"
Tell = Callable[[str], None]


class Course:
    """One run of the trainer. `outages`: those so far."""

    def __init__(self, cluster: Cluster, store: Store, tell: Tell) -> None:
        self.cluster = cluster
        self.store = store
        self.tell = tell
        self.outages: list[Outage] = []
        self._trainer = cluster.machines[TRAINER]

    def run(self) -> int:
        """The trainer's exit code. Raises ClusterFailed."""
        self._trainer.switch_on()
        self.tell("the trainer starts")
        self._wait(lambda: self._count_done(PHASE) >= SETTLED, TRAIN_S, f"episodes of {PHASE}")
        self._take_browser(BROWSERS[1])
        self._pull_for_a_moment(BROWSERS[0])
        self._take_worker(WORKERS[1])
        self.tell("all machines are back; the run goes on to its report")
        return self._trainer.wait(TRAIN_S)

    def _take_browser(self, name: str) -> None:
        machine, outage = self.cluster.machines[name], self._begin(name, "cable, then power")
        machine.pull_cable()
        time.sleep(DARK_S)
        machine.switch_off()
        self._stay_away(outage)
        machine.switch_on()
        self._end(outage)

    def _pull_for_a_moment(self, name: str) -> None:
        machine, outage = self.cluster.machines[name], self._begin(name, "cable for a moment")
        machine.pull_cable()
        time.sleep(BLIP_S)
        machine.plug_cable()
        self._end(outage)

    def _take_worker(self, name: str) -> None:
        machine, outage = self.cluster.machines[name], self._begin(name, "power")
        machine.switch_off()
        self._stay_away(outage)
        machine.switch_on()
        self._end(outage)

    def _begin(self, name: str, kind: str) -> Outage:
        """Once the machine has episodes."""

        def episodes_on_it() -> frozenset[str]:
            machine_of = self.machines_of_episodes(name)
            running = (row.id for row in self.rows() if row.status is Status.RUNNING)
            return frozenset(key for key in running if machine_of.get(key) == name)

        self._wait(lambda: bool(episodes_on_it()), STEP_S, f"an episode on {name}")
        outage = Outage(name, kind, utcnow(), episodes_on_it())
        self.outages.append(outage)
        self.tell(f"{name}: {kind}; it has {len(outage.held)} episodes")
        return outage

    def _stay_away(self, outage: Outage) -> None:
        """AWAY_S at least, and until the run has gone on without the machine."""
        goal = self._count_done() + SETTLED
        time.sleep(max(0.0, AWAY_S - (utcnow() - outage.began).total_seconds()))
        self._wait(lambda: self._count_done() >= goal, STEP_S, f"episodes without {outage.machine}")

    def _end(self, outage: Outage) -> None:
        outage.ended = ended = utcnow()
        away_s = (ended - outage.began) / timedelta(seconds=1)
        self.tell(f"{outage.machine} is back after {away_s:.0f} s")

        def is_settled() -> bool:
            machine_of = self.machines_of_episodes(outage.machine)
            rows = [r for r in self.rows() if machine_of.get(r.id) == outage.machine]
            later = [r for r in rows if r.started_at and r.started_at > ended]
            return sum(row.status.has_score for row in later) >= SETTLED

        self._wait(is_settled, STEP_S, f"{SETTLED} episodes on {outage.machine} after its return")

    def machines_of_episodes(self, name: str) -> dict[str, str]:
        """Episode to its worker's machine where `name` is one, else to its browser's."""
        if name in WORKERS:
            owners = ((row.id, row.lease_owner) for row in self.rows())
            # An owner is "machine:process:random".
            return {key: owner.partition(":")[0] for key, owner in owners if owner is not None}
        return self.cluster.hosts_of_episodes()

    def rows(self) -> list[EpisodeEnd]:
        """All episodes of the run so far, oldest first."""
        columns = [col(getattr(Episode, name)) for name in EpisodeEnd.__slots__]
        query = select(*columns).where(col(Episode.run_id) == RUN)
        with self.store.engine.connect() as db:
            rows = db.execute(query.order_by(col(Episode.created_at), col(Episode.attempt)))
            return [EpisodeEnd(*row) for row in rows]

    def _count_done(self, phase: str | None = None) -> int:
        rows = (row for row in self.rows() if phase is None or row.phase == phase)
        return sum(row.status.has_score for row in rows)

    def _wait(self, condition: Callable[[], bool], seconds: float, what: str) -> None:
        self.cluster.wait_until(condition, seconds, what, self._trainer)
