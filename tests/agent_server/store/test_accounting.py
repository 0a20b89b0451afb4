"""Whatever workers, reapers, users and the broker do, in any order, nothing is lost or counted
twice: the store is driven beside a model of a few lines and must agree with it."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import text

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, Run
from envs.contract.outcomes import RETRY_RULES, EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict
from tests.agent_server.store.hand_clock import Clock

LEASE_S = 10
PICKS = st.integers(0, 11)
OWNERS = st.sampled_from(["w1", "w2", "w3"])
FAULTS = (
    InvalidReason.WORKER_LOST,
    InvalidReason.EVALUATOR_ERROR,
    InvalidReason.POLICY_ERROR,
    InvalidReason.STALE,
)
"""Retried at once; retried once; retried after 5 s; never retried."""
FAILURES = st.sampled_from(FAULTS).map(lambda r: EpisodeResult.invalid(EpisodeFault(r, "x")))
ENDS = st.sampled_from(
    [
        EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1)),
        EpisodeResult(Status.TRUNCATED, EndReason.STEP_LIMIT, verdict=Verdict(score=0)),
        EpisodeResult(Status.CANCELLED),
    ]
)
RESULTS = st.one_of(FAILURES, ENDS)


@dataclass
class Row:
    """What the model knows of one episode."""

    root: str
    attempt: int
    group: str | None
    slot: int
    status: Status = Status.QUEUED
    reason: InvalidReason | None = None
    owner: str | None = None
    lease_until: float = 0
    cancel_requested: bool = False
    finished_at: float = 0


class AccountingMachine(RuleBasedStateMachine):
    store: Store
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.begun = self.clock.now
        self.rows: dict[str, Row] = {}
        self.sizes: dict[str, int] = {}
        self.store = self.open_store()
        self.store.runs.create(Run(id="run", kind="train"))

    def open_store(self) -> Store:
        self.folder = tempfile.TemporaryDirectory()
        return Store(f"sqlite:///{self.folder.name}/db", LEASE_S, self.clock)

    def teardown(self) -> None:
        self.store.close()

    @property
    def now(self) -> float:
        return (self.clock.now - self.begun).total_seconds()

    @initialize(size=st.integers(2, 4), grouped=st.booleans())
    def begin(self, size: int, grouped: bool) -> None:
        self.dispatch(size, grouped)

    @precondition(lambda self: sum(not row.status.terminal for row in self.rows.values()) < 3)
    @rule(size=st.integers(1, 4), grouped=st.booleans())
    def dispatch(self, size: int, grouped: bool) -> None:
        serial = len(self.rows)
        group = f"g{serial}" if grouped else None
        if group is not None:
            self.sizes[group] = size
            self.store.episodes.create_groups(
                [Group(id=group, run_id="run", phase="p", template="t", seed=0, size=size)]
            )
        made = [f"e{serial}-{slot}" for slot in range(size)]
        self.store.episodes.create(
            [
                Episode(id=i, run_id="run", purpose="train", task={}, group_id=group, slot=slot)
                for slot, i in enumerate(made)
            ]
        )
        self.rows |= {i: Row(i, 1, group, slot) for slot, i in enumerate(made)}

    @rule(pick=PICKS, owner=OWNERS)
    def deliver(self, pick: int, owner: str) -> None:
        self._deliver(self._pick(pick, Status.QUEUED), owner)

    @rule(pick=PICKS, owner=OWNERS)
    def deliver_again_or_late(self, pick: int, owner: str) -> None:
        self._deliver(self._pick(pick), owner)

    def _deliver(self, episode_id: str, owner: str) -> None:
        row = self.rows[episode_id]
        leased = self.store.episodes.lease(episode_id, owner)
        assert (leased is not None) == (row.status is Status.QUEUED)
        if leased is not None:
            row.status, row.owner = Status.RUNNING, owner
            row.lease_until = self.now + LEASE_S

    @rule(pick=PICKS, result=RESULTS)
    def finish(self, pick: int, result: EpisodeResult) -> None:
        episode_id = self._pick(pick, Status.RUNNING)
        self._finish(episode_id, self.rows[episode_id].owner or "w1", result)

    @rule(pick=PICKS, result=FAILURES)
    def deliver_and_fail(self, pick: int, result: EpisodeResult) -> None:
        episode_id = self._pick(pick, Status.QUEUED)
        self._deliver(episode_id, "w1")
        self._finish(episode_id, "w1", result)

    @rule(pick=PICKS, owner=OWNERS, result=RESULTS)
    def finish_as_anyone(self, pick: int, owner: str, result: EpisodeResult) -> None:
        """A worker that lost its lease, or one that never held it."""
        self._finish(self._pick(pick, Status.RUNNING), owner, result)

    def _finish(self, episode_id: str, owner: str, result: EpisodeResult) -> None:
        row = self.rows[episode_id]
        counted = self.store.episodes.finish(episode_id, owner, result)
        assert counted == (row.status is Status.RUNNING and row.owner == owner)
        if counted:
            reason = result.reason if isinstance(result.reason, InvalidReason) else None
            self._end(row, result.status, reason)

    @rule(owner=OWNERS, missing=st.integers(0, 3))
    def heartbeat(self, owner: str, missing: int) -> None:
        held = {i for i, row in self.rows.items() if self._held(row, owner)}
        sent = set(sorted(self.rows)[missing:])
        renewal = self.store.episodes.renew(sent, owner)
        assert renewal.kept == held & sent
        for i in renewal.kept:
            self.rows[i].lease_until = self.now + LEASE_S
        assert renewal.cancelled == {i for i in renewal.kept if self.rows[i].cancel_requested}

    @rule(seconds=st.sampled_from([0.5, 2.5, 6.0, 11.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.pass_s(seconds)

    @rule()
    def reap(self) -> None:
        dead = {
            i
            for i, row in self.rows.items()
            if row.status is Status.RUNNING and row.lease_until < self.now
        }
        assert set(self.store.episodes.expire_leases()) == dead
        for i in dead:
            row = self.rows[i]
            if row.cancel_requested:
                self._end(row, Status.CANCELLED, None)
            else:
                self._end(row, Status.INVALID, InvalidReason.WORKER_LOST)

    @rule(pick=PICKS)
    def retry(self, pick: int) -> None:
        episode_id = self._pick(pick, Status.INVALID)
        retry_id = f"{self.rows[episode_id].root}.{self.rows[episode_id].attempt + 1}"
        allowed = self._may_retry(episode_id)
        made = self.store.episodes.retry(episode_id)
        assert made == (retry_id if allowed else None)
        self._note_retries([made] if made else [])

    @rule()
    def retry_due(self) -> None:
        due = {
            f"{row.root}.{row.attempt + 1}"
            for i, row in self.rows.items()
            if self._may_retry(i)
            and row.reason is not None
            and row.finished_at + RETRY_RULES[row.reason].delay_s <= self.now
        }
        made = self.store.episodes.retry_due()
        assert set(made) == due
        assert len(made) == len(due)
        self._note_retries(made)

    @rule(pick=PICKS, status=st.sampled_from([None, Status.RUNNING, Status.INVALID]))
    def cancel(self, pick: int, status: Status | None) -> None:
        episode_id = self._pick(pick, status)
        chain = [r for r in self.rows.values() if r.root == self.rows[episode_id].root]
        queued = [row for row in chain if row.status is Status.QUEUED]
        assert self.store.episodes.cancel([episode_id]) == len(queued)
        for row in chain:
            if row.status in (Status.QUEUED, Status.RUNNING, Status.INVALID):
                row.cancel_requested = True
        for row in queued:
            self._end(row, Status.CANCELLED, None)

    @invariant()
    def every_dispatch_is_in_exactly_one_state(self) -> None:
        counts = self.store.episodes.accounting("run")
        states = Counter(row.status for row in self.rows.values())
        assert counts.dispatched == len(self.rows) == sum(states.values())
        assert (counts.queued, counts.running) == (states[Status.QUEUED], states[Status.RUNNING])
        assert (counts.scored, counts.truncated) == (
            states[Status.SCORED],
            states[Status.TRUNCATED],
        )
        assert counts.cancelled == states[Status.CANCELLED]
        assert counts.invalid == Counter(row.reason for row in self.rows.values() if row.reason)
        ends = counts.scored + counts.truncated + sum(counts.invalid.values()) + counts.cancelled
        assert counts.dispatched == ends + counts.queued + counts.running
        assert counts.retried == sum(row.attempt > 1 for row in self.rows.values())

    @invariant()
    def every_slot_counts_once(self) -> None:
        for status in self.store.episodes.group_statuses(self.sizes):
            newest: dict[int, tuple[str, Row]] = {}
            for i, row in self.rows.items():
                if row.group == status.group_id and (
                    row.slot not in newest or row.attempt > newest[row.slot][1].attempt
                ):
                    newest[row.slot] = (i, row)
            assert len(newest) == status.size
            arrived = {i for i, row in newest.values() if row.status.has_score}
            cancelled = sum(row.status is Status.CANCELLED for _, row in newest.values())
            lost = sum(
                row.status is Status.INVALID and not self._may_retry(i)
                for i, row in newest.values()
            )
            assert (set(status.arrived), status.cancelled, status.lost) == (
                arrived,
                cancelled,
                lost,
            )
            open_slots = status.size - len(arrived) - cancelled - lost
            assert status.complete == (open_slots == 0)

    @invariant()
    def a_chain_has_one_open_attempt_at_most(self) -> None:
        chains = Counter(row.root for row in self.rows.values() if not row.status.terminal)
        assert all(count == 1 for count in chains.values())

    def _pick(self, pick: int, status: Status | None = None) -> str:
        """An episode in this state if there is one, else any."""
        matching = [i for i, row in self.rows.items() if status in (None, row.status)]
        among = matching or list(self.rows)
        return among[pick % len(among)]

    def _held(self, row: Row, owner: str) -> bool:
        return row.status is Status.RUNNING and row.owner == owner

    def _end(self, row: Row, status: Status, reason: InvalidReason | None) -> None:
        row.status, row.reason, row.finished_at = status, reason, self.now

    def _may_retry(self, episode_id: str) -> bool:
        row = self.rows[episode_id]
        return (
            row.reason is not None
            and not row.cancel_requested
            and row.attempt <= RETRY_RULES[row.reason].max_retries
            and f"{row.root}.{row.attempt + 1}" not in self.rows
        )

    def _note_retries(self, made: list[str]) -> None:
        for i in made:
            root, _, attempt = i.rpartition(".")
            self.rows[i] = Row(root, int(attempt), self.rows[root].group, self.rows[root].slot)


LIMITS = settings(
    max_examples=50,
    stateful_step_count=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def test_accounting_holds_on_sqlite() -> None:
    run_state_machine_as_test(AccountingMachine, settings=LIMITS)


@pytest.mark.services
def test_accounting_holds_on_postgresql(postgres: str) -> None:
    class OnPostgres(AccountingMachine):
        def open_store(self) -> Store:
            store = Store(postgres, LEASE_S, self.clock)
            with store.engine.begin() as db:
                db.execute(text('TRUNCATE run, episode, "group", policy_version'))
            return store

    run_state_machine_as_test(OnPostgres, settings=settings(LIMITS, max_examples=10))
