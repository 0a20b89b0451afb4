from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.queue.reaper import ReapCounts, Reaper
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run, utcnow
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="train"))
        broker = Broker(settings)
        yield Dispatcher(store, broker)
        broker.close()


def episode(episode_id: str, **fields: object) -> Episode:
    return Episode(id=episode_id, run_id="run", purpose="train", task={}, **fields)


def test_dispatching_makes_a_row_and_a_message(dispatcher: Dispatcher) -> None:
    assert dispatcher.dispatch([episode("e1"), episode("e2")]) == ["e1", "e2"]
    assert dispatcher.broker.depth() == 2
    assert dispatcher.store.episodes.accounting("run").queued == 2


def test_a_dead_worker_s_episode_is_tried_again(dispatcher: Dispatcher, settings: Settings) -> None:
    dispatcher.store.episodes.create([episode("e1")])
    short = Store(settings.database, lease_s=0.05)
    short.episodes.lease("e1", "dead")
    short.close()
    reaper = Reaper(dispatcher, settings)
    time.sleep(0.1)
    assert reaper.round() == ReapCounts(expired=1, retried=1)
    assert dispatcher.broker.depth() == 1
    assert reaper.round() == ReapCounts()
    counts = dispatcher.store.episodes.accounting("run")
    assert (counts.dispatched, counts.queued, counts.invalid) == (2, 1, {"worker_lost": 1})


def test_a_retry_is_sent_when_its_delay_has_passed(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    """A fault of class reset is retried after 0.5 s."""
    episodes = dispatcher.store.episodes
    episodes.create([episode("e1")])
    episodes.lease("e1", "w")
    episodes.finish("e1", "w", EpisodeResult.invalid(EpisodeFault(InvalidReason.RESET, "x")))
    reaper = Reaper(dispatcher, settings)
    assert reaper.round() == ReapCounts()
    time.sleep(0.55)
    assert reaper.round() == ReapCounts(retried=1)


def test_a_lost_message_is_sent_again_but_not_over_and_over(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    old = utcnow() - timedelta(seconds=60)
    dispatcher.store.episodes.create([episode("old", created_at=old), episode("new")])
    reaper = Reaper(dispatcher, settings)
    assert reaper.round() == ReapCounts(resent=1)
    assert dispatcher.broker.depth() == 1
    assert reaper.round() == ReapCounts(), "its message waits in the queue"
    assert settings.broker_dir is not None
    for message in settings.broker_dir.glob("*.msg"):
        message.unlink()
    assert reaper.round() == ReapCounts(), "it was sent a moment ago"


def test_episodes_in_a_long_queue_are_not_taken_for_lost(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    old = utcnow() - timedelta(seconds=60)
    dispatcher.dispatch([episode(f"e{n}", created_at=old) for n in range(50)])
    assert Reaper(dispatcher, settings).round() == ReapCounts()
    assert dispatcher.broker.depth() == 50


def test_a_lost_message_is_sent_again_though_others_wait(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    old = utcnow() - timedelta(seconds=60)
    dispatcher.dispatch([episode(f"e{n}") for n in range(20)])
    dispatcher.store.episodes.create([episode("lost", created_at=old)])
    reaper = Reaper(dispatcher, settings)
    assert reaper.round().resent == 0, "the queue may be as long as that"
    assert dispatcher.store.episodes.lease("e7", "w") is not None
    late = Reaper(dispatcher, settings)
    assert late.round().resent == 1, "later ones have started"
    assert late.round().resent == 0
    assert dispatcher.broker.depth() == 21


def test_a_clock_that_is_stepped_ends_no_lease_before_the_workers_could_renew(
    settings: Settings,
) -> None:
    ahead_s = 0.0
    broker = Broker(settings)
    with Store(settings.database, 3, lambda: utcnow() + timedelta(seconds=ahead_s)) as store:
        store.runs.create(Run(id="run", kind="train"))
        store.episodes.create([episode("alive"), episode("dead")])
        for name in ("alive", "dead"):
            assert store.episodes.lease(name, name) is not None
        reaper = Reaper(Dispatcher(store, broker), settings)
        for step_s in (3600.0, -7200.0):
            assert reaper.round().expired == 0
            ahead_s += step_s
            assert reaper.round().expired == 0
            assert store.episodes.renew(["alive"], "alive").kept == {"alive"}
        ended: list[str] = []
        deadline = time.monotonic() + 60
        while not ended and time.monotonic() < deadline:
            store.episodes.renew(["alive"], "alive")
            ended = ["dead"] if reaper.round().expired else []
            time.sleep(0.05)
        row = store.episodes.get("alive")
        assert ended
        assert row is not None
        assert row.status is Status.RUNNING
    broker.close()


def test_the_reaper_outlives_any_exception(
    dispatcher: Dispatcher, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    expire = dispatcher.store.episodes.expire_leases
    failures = iter([RuntimeError("no listed exception"), OSError("nor this")])

    def expire_or_fail() -> list[str]:
        for error in failures:
            raise error
        return expire()

    monkeypatch.setattr(dispatcher.store.episodes, "expire_leases", expire_or_fail)
    dispatcher.store.episodes.create([episode("e1")])
    short = Store(settings.database, lease_s=0.05)
    short.episodes.lease("e1", "dead")
    short.close()
    dispatcher.store.episodes.lease_s = 0.2
    with Reaper(dispatcher, settings):
        deadline = time.monotonic() + 60
        while dispatcher.broker.depth() == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
    assert dispatcher.broker.depth() == 1
    assert next(failures, None) is None


def test_episodes_that_are_not_due_yet_are_not_sent(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    old, later = utcnow() - timedelta(seconds=60), utcnow() + timedelta(seconds=60)
    dispatcher.store.episodes.create([episode("e1", created_at=old, not_before=later)])
    assert Reaper(dispatcher, settings).round() == ReapCounts()


def test_a_broker_that_is_away_loses_nothing(settings: Settings) -> None:
    away = settings.model_copy(update={"broker_url": "redis://127.0.0.1:1/0"})
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="train"))
        Dispatcher(store, Broker(away)).dispatch([episode("e1")])
        row = store.episodes.get("e1")
        assert row is not None
        assert row.status is Status.QUEUED


def test_the_reaper_s_thread_works_and_stops(dispatcher: Dispatcher, settings: Settings) -> None:
    old = utcnow() - timedelta(seconds=60)
    dispatcher.store.episodes.create([episode("e1", created_at=old)])
    with Reaper(dispatcher, settings) as reaper:
        deadline = time.monotonic() + 10
        while dispatcher.broker.depth() == 0 and time.monotonic() < deadline:
            time.sleep(0.02)
    assert dispatcher.broker.depth() == 1
    assert reaper._thread is not None
    assert not reaper._thread.is_alive()
