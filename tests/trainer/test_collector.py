"""Groups are completed by the database alone; lost episodes are never data."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Run
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict
from envs.contract.task import Task
from tasksets.registry import get_gym
from trainer.collector import Collector, FinishedGroup
from trainer.config import CollectorConfig

LOST = EpisodeResult.invalid(EpisodeFault(InvalidReason.EVALUATOR_ERROR, "for a test"))


def solved(version: int = 0) -> EpisodeResult:
    return EpisodeResult(
        Status.SCORED,
        EndReason.DONE,
        verdict=Verdict(score=1.0),
        steps=3,
        version_min=version,
        version_max=version,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(Settings(run_dir=tmp_path / "run")) as opened:
        opened.runs.create(Run(id="run", kind="train"))
        yield opened


def make_collector(store: Store, tmp_path: Path, **config: float) -> Collector:
    broker = Broker(Settings(run_dir=tmp_path / "run"))
    return Collector("run", store, Dispatcher(store, broker), CollectorConfig(**config))


def tasks(count: int) -> list[Task]:
    return [get_gym("shop").make_task("price", seed) for seed in range(count)]


def submit(collector: Collector, count: int, size: int) -> list[str]:
    return collector.submit(
        phase="reinforce",
        purpose="train",
        tasks=tasks(count),
        size=size,
        policy="live",
        sampling=Sampling(),
    )


def finish(store: Store, group: str, *results: EpisodeResult) -> None:
    """What a worker does with episodes of a group, in slot order."""
    rows = store.episodes.page(group_id=group).episodes
    waiting = sorted((row for row in rows if not row.status.terminal), key=lambda row: row.slot)
    for row, result in zip(waiting, results, strict=False):
        assert store.episodes.lease(row.id, "worker") is not None
        assert store.episodes.finish(row.id, "worker", result)


def gather(collector: Collector, count: int) -> list[FinishedGroup]:
    async def bounded() -> list[FinishedGroup]:
        async with asyncio.timeout(20):
            return await collector.gather(count)

    return asyncio.run(bounded())


def test_the_oldest_complete_groups_are_handed_out_first_and_once(
    store: Store, tmp_path: Path
) -> None:
    collector = make_collector(store, tmp_path)
    first, second, third = submit(collector, 3, 2)
    finish(store, third, solved(), solved())
    finish(store, second, solved(), solved())
    finish(store, first, solved())
    assert [group.id for group in gather(collector, 1)] == [second]
    finish(store, first, solved())
    assert [group.id for group in gather(collector, 5)] == [first, third]
    assert collector.in_flight == 0
    assert gather(collector, 1) == [], "nothing is in flight, so nothing is waited for"


def test_a_lost_episode_completes_its_group_without_being_data(
    store: Store, tmp_path: Path
) -> None:
    collector = make_collector(store, tmp_path)
    (group,) = submit(collector, 1, 3)
    finish(store, group, solved(), LOST, solved())
    rows = store.episodes.page(group_id=group).episodes
    (again,) = [store.episodes.retry(row.id) for row in rows if row.status is Status.INVALID]
    assert again is not None
    finish(store, group, LOST)
    (finished,) = gather(collector, 1)
    assert (len(finished.episodes), finished.lost, finished.stale) == (2, 1, 0)
    counts = store.episodes.accounting("run")
    assert counts.is_balanced
    assert (counts.scored, counts.invalid, counts.retried) == (2, {"evaluator_error": 2}, 1)


def test_a_group_begins_with_its_first_episode(store: Store, tmp_path: Path) -> None:
    collector = make_collector(store, tmp_path)
    first, second = submit(collector, 2, 2)
    asyncio.run(collector.note_starts(4))
    finish(store, first, solved(version=4))
    asyncio.run(collector.note_starts(5))
    finish(store, second, solved(version=6))
    asyncio.run(collector.note_starts(6))
    assert [entry.oldest for entry in collector.open_groups.values()] == [5, 6]


def test_a_group_that_is_cancelled_hands_out_what_has_arrived(store: Store, tmp_path: Path) -> None:
    collector = make_collector(store, tmp_path)
    first, second = submit(collector, 2, 3)
    finish(store, first, solved())
    collector.cancel_group(first)
    (finished,) = gather(collector, 1)
    assert (finished.id, len(finished.episodes), finished.lost) == (first, 1, 2)
    assert (collector.staleness.cancelled, list(collector.open_groups)) == (2, [second])


def test_another_process_goes_on_with_open_groups_in_their_order(
    store: Store, tmp_path: Path
) -> None:
    collector = make_collector(store, tmp_path)
    first, second, third = submit(collector, 3, 1)
    finish(store, third, solved())
    finish(store, first, solved())
    again = make_collector(store, tmp_path)
    for group, task in zip((first, second, third), tasks(3), strict=True):
        again.adopt(group, task, 7)
    assert [group.id for group in gather(again, 2)] == [first, third]
    finish(store, second, solved())
    (finished,) = gather(again, 1)
    assert (finished.id, finished.number, finished.task) == (second, 2, tasks(3)[1])


def test_a_group_that_is_not_complete_in_time_is_cancelled_and_counted(
    store: Store, tmp_path: Path
) -> None:
    collector = make_collector(store, tmp_path, group_timeout_s=0.3, poll_s=0.05)
    (group,) = submit(collector, 1, 2)
    finish(store, group, solved())
    (finished,) = gather(collector, 1)
    assert (len(finished.episodes), finished.lost) == (1, 1)
    assert store.episodes.accounting("run").cancelled == 1


def test_cancelled_groups_are_not_handed_out_any_more(store: Store, tmp_path: Path) -> None:
    collector = make_collector(store, tmp_path)
    submit(collector, 2, 2)
    assert collector.cancel_in_flight() == 4
    assert gather(collector, 1) == []
    assert store.episodes.accounting("run").is_balanced
