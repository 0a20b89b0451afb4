"""What waits for the learner is handed out fresh, in order, and every refusal is counted."""

from __future__ import annotations

from agent_server.store.tables import Episode
from tasksets.registry import get_gym
from trainer.collector import FinishedGroup, Staleness
from trainer.pipeline.buffer import EpisodeBuffer

TASK = get_gym("shop").make_task("price", 1)


def make_group(number: int, *versions: int | None, lost: int = 0) -> FinishedGroup:
    rows = [
        Episode(run_id="run", purpose="train", task={}, version_min=version, steps=4)
        for version in versions
    ]
    return FinishedGroup(id=f"g{number}", number=number, task=TASK, episodes=tuple(rows), lost=lost)


def taken(buffer: EpisodeBuffer, count: int, version: int) -> list[int]:
    return [group.number for group in buffer.take(count, version)]


def test_groups_are_taken_in_the_order_of_submission_whenever_they_came() -> None:
    buffer = EpisodeBuffer(1, Staleness())
    buffer.add([make_group(3, 0), make_group(4, 0)])
    buffer.add([make_group(1, 0)])
    assert taken(buffer, 2, 0) == [1, 3]
    buffer.add([make_group(2, 0)])
    assert taken(buffer, 5, 0) == [2, 4]
    assert len(buffer) == 0


def test_a_group_that_would_be_too_old_for_the_next_step_goes_first() -> None:
    buffer = EpisodeBuffer(1, Staleness())
    buffer.add([make_group(1, 6), make_group(2, 6), make_group(3, 6, 5)])
    assert taken(buffer, 2, 6) == [3, 1]


def test_an_episode_beyond_the_bound_is_refused_and_the_others_are_trained_on() -> None:
    staleness = Staleness()
    buffer = EpisodeBuffer(1, staleness)
    buffer.add([make_group(1, 4, 5, 6, None)])
    (group,) = buffer.take(1, 6)
    assert [row.version_min for row in group.episodes] == [5, 6, None]
    assert group.stale == 1
    assert (staleness.refused, staleness.count, staleness.worst) == (1, 3, 1)
    assert (staleness.mean, staleness.steps) == (1 / 3, 12)


def test_a_group_of_which_nothing_is_left_takes_no_place_but_a_lost_one_does() -> None:
    staleness = Staleness()
    buffer = EpisodeBuffer(1, staleness)
    buffer.add([make_group(1, 3, 3), make_group(2, lost=2), make_group(3, 6, 6)])
    assert taken(buffer, 2, 6) == [3, 2]
    assert (staleness.refused, staleness.count) == (2, 2)


def test_a_version_above_the_learners_is_not_stale() -> None:
    staleness = Staleness()
    buffer = EpisodeBuffer(1, staleness)
    buffer.add([make_group(1, 8)])
    assert taken(buffer, 1, 6) == [1]
    assert staleness.worst == 0
