"""What the observer makes of the rows that it sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from benchmarks.faults import observer as observers
from benchmarks.faults.observer import Observer
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict

DONE = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1.0), steps=2)
LOST = EpisodeResult.invalid(EpisodeFault(InvalidReason.WORKER_LOST, "killed"))


class HandClock:
    """Steady seconds that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    hand_clock = HandClock()
    monkeypatch.setattr(observers, "time", hand_clock)
    return hand_clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path / 'test.db'}") as opened:
        opened.runs.create(Run(id="run", kind="serve"))
        yield opened


@pytest.fixture
def observer(store: Store, clock: HandClock) -> Iterator[Observer]:
    watching = Observer(str(store.engine.url), _seen_at=0.0)
    yield watching
    watching.close()


def add(store: Store, name: str) -> None:
    store.episodes.create([Episode(id=name, run_id="run", purpose="api", task={})])


def test_recovery_is_the_first_good_end_of_what_started_after_the_fault(
    store: Store, observer: Observer, clock: HandClock
) -> None:
    add(store, "before")
    clock.seconds = 1
    observer.look()
    store.episodes.lease("before", "w")
    clock.seconds = 2
    observer.look()
    add(store, "after")
    clock.seconds = 5
    observer.look()
    store.episodes.lease("after", "w")
    store.episodes.finish("before", "w", DONE)
    clock.seconds = 6
    observer.look()
    assert observer.recovery_s(3.0) is None, "it started before the fault"
    store.episodes.finish("after", "w", DONE)
    clock.seconds = 9
    observer.look()
    assert observer.recovery_s(3.0) == 6.0
    assert observer.recovery_s(0.5) == 5.5, "it was last seen queued at 1"
    assert observer.recovery_s(5.5) is None, "it was last seen queued at 5"
    assert observer.scored_count == 2


def test_an_end_that_is_invalid_is_no_recovery(
    store: Store, observer: Observer, clock: HandClock
) -> None:
    add(store, "e")
    store.episodes.lease("e", "w")
    store.episodes.finish("e", "w", LOST)
    clock.seconds = 4
    observer.look()
    assert observer.recovery_s(0.0) is None
    assert observer.attempts["e"].reason == "worker_lost"


def test_an_end_that_changes_later_is_seen(
    store: Store, observer: Observer, clock: HandClock
) -> None:
    add(store, "e")
    store.episodes.lease("e", "w")
    store.episodes.finish("e", "w", DONE)
    observer.look()
    assert observer.attempts["e"].changes_after_end == []
    store.episodes.judge_again("e", Verdict(score=0.0))
    observer.look()
    assert len(observer.attempts["e"].changes_after_end) == 1


def test_clearing_removes_the_episodes(store: Store, observer: Observer) -> None:
    add(store, "e")
    observer.look()
    observer.clear()
    assert store.episodes.get("e") is None
    assert observer.attempts == {}
