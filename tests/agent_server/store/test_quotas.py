"""A key has what it may have, counted once, whoever asks at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.quotas import Quota, QuotaRefused, Use
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from tests.agent_server.store.hand_clock import Clock


@pytest.fixture
def store(database_url: str, clock: Clock) -> Iterator[Store]:
    with Store(database_url, clock=clock) as opened:
        opened.runs.create(Run(id="api", kind="serve"))
        yield opened


def submit(store: Store, *ids: str, key: str | None = "ci") -> None:
    rows = [Episode(id=key_, run_id="api", purpose="api", task={}, key_name=key) for key_ in ids]
    store.episodes.create(rows)


def test_a_cap_counts_what_waits_and_what_runs(store: Store) -> None:
    store.keys.create("ci", "run", quota=Quota(in_flight=2))
    submit(store, "a", "b")
    store.episodes.lease("a", "w")
    with pytest.raises(QuotaRefused, match=r"may have 2 .* in flight, has 2 and asked for 1 more"):
        submit(store, "c")
    store.episodes.finish("a", "w", EpisodeResult(Status.CANCELLED))
    submit(store, "c")
    submit(store, "x", "y", "z", key=None)
    assert store.quotas.standings(["ci"])["ci"].describe() == "2 of 2 in flight, 3 episodes"


def test_episodes_that_are_refused_are_not_there_and_not_counted(store: Store) -> None:
    store.keys.create("ci", "run", quota=Quota(episodes=3))
    submit(store, "a", "b")
    with pytest.raises(QuotaRefused, match="has used 2 of its 3 episodes of today") as refused:
        submit(store, "c", "d")
    assert 0 < refused.value.retry_after_s <= 86_400
    assert store.episodes.get("c") is None
    submit(store, "c")
    assert store.quotas.standings(["ci"])["ci"].used["episodes"] == 3


def test_a_retry_is_free_and_counts_in_flight(store: Store) -> None:
    store.keys.create("ci", "run", quota=Quota(episodes=1, in_flight=1))
    submit(store, "a")
    store.episodes.lease("a", "w")
    fault = EpisodeFault(InvalidReason.WORKER_LOST, "gone")
    store.episodes.finish("a", "w", EpisodeResult.invalid(fault))
    (retry,) = store.episodes.retry_due()
    row = store.episodes.get(retry)
    assert row is not None
    assert row.key_name == "ci"
    assert store.quotas.standings(["ci"])["ci"].describe() == "1 of 1 in flight, 1 of 1 episodes"


@pytest.mark.parametrize(
    ("quota", "use", "what"),
    [
        (Quota(steps=10), Use(steps=4), "steps"),
        (Quota(tokens=1000), Use(tokens=400), "tokens"),
        (Quota(seconds=10), Use(seconds=4.0), "seconds"),
        (Quota(cost=1), Use(cost=0.4), "cost"),
    ],
)
def test_a_budget_is_used_up_and_is_whole_the_next_day(
    store: Store, clock: Clock, quota: Quota, use: Use, what: str
) -> None:
    store.keys.create("ci", "run", quota=quota)
    assert store.quotas.charge("ci", use) is None
    assert store.quotas.charge("ci", use) is None
    submit(store, "before")
    used_up = store.quotas.charge("ci", use)
    assert used_up is not None
    assert f"{what} of today: wait until" in used_up
    assert "deskhand keys limit ci" in used_up
    with pytest.raises(QuotaRefused, match=what):
        submit(store, "after")
    clock.pass_s(86_400)
    submit(store, "tomorrow")
    assert store.quotas.charge("ci", use) is None


def test_a_raised_limit_holds_at_once(store: Store) -> None:
    store.keys.create("ci", "run", quota=Quota(steps=1))
    assert store.quotas.charge("ci", Use(steps=1)) is not None
    store.keys.limit("ci", Quota(steps=5))
    assert store.quotas.charge("ci", Use(steps=1)) is None
    store.keys.limit("ci", Quota())
    assert store.quotas.charge("ci", Use(steps=100)) is None


def test_many_who_charge_and_submit_at_once_are_counted_exactly(database_url: str) -> None:
    """On PostgreSQL with the clock of the database and the pool of a real process."""
    with Store(database_url) as store:
        store.runs.create(Run(id="api", kind="serve"))
        store.keys.create("ci", "run", quota=Quota(in_flight=7, episodes=40))

        def work(number: int) -> bool:
            store.quotas.charge("ci", Use(steps=1, tokens=10, seconds=0.5, cost=0.25))
            try:
                submit(store, f"e{number}")
            except QuotaRefused:
                return False
            return True

        with ThreadPoolExecutor(16) as pool:
            admitted = list(pool.map(work, range(40)))
        standing = store.quotas.standings(["ci"])["ci"]
    assert sum(admitted) == 7
    expected = {"in_flight": 7, "episodes": 7, "steps": 40, "tokens": 400, "seconds": 20}
    assert standing.used == expected | {"cost": 10}


def test_limits_are_positive_and_none_is_made_up() -> None:
    with pytest.raises(ValidationError):
        Quota(tokens=0)
    with pytest.raises(ValidationError):
        Quota.model_validate({"tokns": 5})


def test_a_day_is_one_of_utc(store: Store, clock: Clock) -> None:
    store.keys.create("ci", "run", quota=Quota(steps=1))
    now = clock()
    until_midnight = 86_400 - (now - datetime(now.year, now.month, now.day, tzinfo=UTC)).seconds
    assert store.quotas.charge("ci", Use(steps=1)) is not None
    clock.pass_s(until_midnight - 1)
    assert store.quotas.charge("ci", Use()) is not None
    clock.pass_s(2)
    assert store.quotas.charge("ci", Use()) is None
