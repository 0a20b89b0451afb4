"""Workers report, stop, and are forgotten when they say nothing."""

from __future__ import annotations

from sqlalchemy import text

from agent_server.store.store import Store
from agent_server.store.workers import ALIVE_S, Offer
from tests.agent_server.store.hand_clock import Clock

BROWSER = Offer(envs=("browser",), policies=("oracle",), slots=4)


def test_a_worker_is_alive_until_it_stops_or_says_nothing(store: Store, clock: Clock) -> None:
    store.workers.report("w1", BROWSER, None)
    store.workers.report("w2", Offer(envs=(), policies=("live",), slots=4), "the disk is full")
    first, second = store.workers.alive()
    assert (first.id, first.envs, first.policies, first.problem) == (
        "w1",
        ["browser"],
        ["oracle"],
        None,
    )
    assert second.problem == "the disk is full"
    store.workers.report("w2", BROWSER, None)
    assert [worker.problem for worker in store.workers.alive()] == [None, None]
    store.workers.leave("w1")
    assert [worker.id for worker in store.workers.alive()] == ["w2"]
    clock.pass_s(ALIVE_S + 1)
    assert store.workers.alive() == []


def test_the_slots_of_all_workers_are_counted_if_each_says_its_own(store: Store) -> None:
    assert store.workers.count_slots() is None
    store.workers.report("w1", BROWSER, None)
    store.workers.report("w2", Offer(envs=(), policies=(), slots=8), None)
    assert store.workers.count_slots() == 12
    with store.engine.begin() as db:
        columns = "id, envs, policies, seen_at"
        row = "SELECT 'before 0009', envs, policies, seen_at FROM worker WHERE id = 'w1'"
        db.execute(text(f"INSERT INTO worker ({columns}) {row}"))
    assert store.workers.count_slots() is None
