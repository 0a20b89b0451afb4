from __future__ import annotations

import pytest

from agent_server.episodes.control import Orders
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.control import MAX_FOLLOW_UPS, TooManyFollowUps
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status

LOST = EpisodeResult.invalid(EpisodeFault(InvalidReason.RESET, "it broke"))


def create(store: Store, episode_id: str, **more: object) -> None:
    fields = {"run_id": "run", "purpose": "api", "task": {"id": "t"}, **more}
    store.episodes.create([Episode(id=episode_id, **fields)])  # type: ignore[arg-type]


def test_a_paused_episode_is_not_leased_until_it_is_resumed(store: Store) -> None:
    create(store, "e1")
    assert store.control.set_paused("e1", True)
    assert store.episodes.lease("e1", "w") is None
    assert store.control.set_paused("e1", False)
    assert store.episodes.lease("e1", "w") is not None


def test_nothing_that_has_ended_is_paused(store: Store) -> None:
    create(store, "e1")
    store.episodes.lease("e1", "w")
    store.episodes.finish("e1", "w", EpisodeResult(Status.UNJUDGED))
    assert not store.control.set_paused("e1", True)


def test_a_retry_is_paused_too_and_reads_every_follow_up(store: Store) -> None:
    create(store, "e1")
    store.episodes.lease("e1", "w")
    store.control.add_follow_up("e1", "one")
    assert store.control.read("e1", 0) == (Orders(follow_ups=("one",)), 1)
    store.control.set_paused("e1", True)
    store.episodes.finish("e1", "w", LOST)
    retry_id = store.episodes.retry("e1")
    assert retry_id is not None
    assert store.control.read(retry_id, 0)[0] == Orders(is_paused=True, follow_ups=("one",))


def test_a_task_takes_a_bounded_number_of_follow_ups(store: Store) -> None:
    create(store, "e1")
    for number in range(MAX_FOLLOW_UPS):
        store.control.add_follow_up("e1", str(number))
    with pytest.raises(TooManyFollowUps):
        store.control.add_follow_up("e1", "one more")


def test_the_reaper_leaves_a_paused_row_alone(store: Store) -> None:
    create(store, "e1")
    later = store.episodes.get("e1").created_at.replace(year=2100)  # type: ignore[union-attr]
    assert store.episodes.waiting(later) == ["e1"]
    store.control.set_paused("e1", True)
    assert store.episodes.waiting(later) == []
