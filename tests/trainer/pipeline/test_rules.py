"""Decisions of the rollout controller: cases worked by hand, and properties of a whole phase."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.pipeline.rules import (
    capacity,
    dispatch_order,
    groups_to_cancel,
    groups_to_take,
    is_due,
    is_hopeless,
)

COUNTS = st.integers(0, 50)


@pytest.mark.parametrize(
    ("lag", "version", "accepted", "running", "room"),
    [
        # Batches of 4, no lag: one batch, then nothing until the learner has done its step.
        (0, 0, 0, 0, 4),
        (0, 0, 4, 0, 0),
        (0, 1, 4, 0, 4),
        # A lag of 1: two batches at once; while the first is trained on, the second runs.
        (1, 0, 0, 0, 8),
        (1, 0, 4, 4, 0),
        (1, 1, 4, 4, 4),
        (1, 1, 6, 1, 5),
        # After a recovery with 3 batches done and nothing in flight: two batches, not five.
        (1, 3, 12, 0, 8),
        # The phase has 10 batches: the last ones leave no surplus.
        (2, 8, 36, 0, 4),
        (2, 9, 40, 0, 0),
    ],
)
def test_capacity_by_hand(lag: int, version: int, accepted: int, running: int, room: int) -> None:
    assert room == capacity(
        lag=lag, version=version, batch=4, accepted=accepted, running=running, total=40
    )


@given(COUNTS, COUNTS, st.integers(1, 20), COUNTS, COUNTS, st.integers(0, 400))
def test_capacity_is_never_negative_and_never_beyond_the_rule(
    lag: int, version: int, batch: int, accepted: int, running: int, total: int
) -> None:
    room = capacity(
        lag=lag, version=version, batch=batch, accepted=accepted, running=running, total=total
    )
    assert room >= 0
    if room:
        newest = accepted + running + room
        assert newest <= total
        assert (newest - 1) // batch <= version + lag, "equation 3 of AReaL"


def test_the_longest_expected_tasks_go_first_and_unknown_ones_before_them() -> None:
    assert dispatch_order([3.0, None, 8.0, 3.0, None, 5.5]) == [1, 4, 2, 5, 0, 3]
    assert dispatch_order([]) == []


@given(st.lists(st.none() | st.floats(0, 100)))
def test_an_order_of_dispatch_has_every_task_once(expected: list[float | None]) -> None:
    assert sorted(dispatch_order(expected)) == list(range(len(expected)))


@pytest.mark.parametrize(
    ("oldest", "due", "hopeless"),
    [(None, False, False), (4, False, True), (5, True, False), (6, False, False)],
)
def test_at_version_6_a_group_may_be_one_version_old(
    oldest: int | None, due: bool, hopeless: bool
) -> None:
    assert is_due(oldest, 6, 1) is due
    assert is_hopeless(oldest, 6, 1) is hopeless


def test_without_staleness_every_group_that_has_begun_is_due() -> None:
    assert is_due(3, 3, 0)
    assert not is_hopeless(3, 3, 0)
    assert is_hopeless(2, 3, 0)


def test_only_groups_that_are_too_old_are_cancelled() -> None:
    running = {"new": None, "fresh": 6, "due": 5, "old": 4}
    assert groups_to_cancel(running, 6, 1) == ["old"]
    assert groups_to_cancel(running, 7, 1) == ["due", "old"]


def test_older_groups_are_taken_before_those_that_were_submitted_earlier() -> None:
    # The third was submitted last of the old version, and overtaken by nobody.
    assert groups_to_take([6, 6, 5, 6], 2) == [2, 0]
    assert groups_to_take([None, 6], 3) == [1, 0]


@given(st.integers(0, 3), st.integers(1, 6), st.integers(1, 8), st.integers(0, 10**6))
def test_a_phase_trains_on_every_group_within_the_bound(
    lag: int, batch: int, steps: int, seed: int
) -> None:
    """Groups of random lengths on few slots. The learner waits for due groups, and never for one
    that was not submitted; each group that is refused has another in its place."""
    rng = random.Random(seed)
    slots = rng.randint(1, 8)
    queued: list[int] = []
    running: dict[int, tuple[int, int]] = {}  # group: (version at its start, ticks left)
    waiting: dict[int, int] = {}
    submitted = taken = refused = 0
    for version in range(steps):
        for key in [key for key, begun in waiting.items() if is_hopeless(begun, version, lag)]:
            del waiting[key]
            refused += 1
        for _ in range(10_000):
            room = capacity(
                lag=lag,
                version=version,
                batch=batch,
                accepted=taken + len(waiting),
                running=len(queued) + len(running),
                total=steps * batch,
            )
            queued += range(submitted, submitted + room)
            submitted += room
            while queued and len(running) < slots:
                running[queued.pop(0)] = (version, rng.randint(1, 30))
            due = [key for key, (begun, _) in running.items() if is_due(begun, version, lag)]
            assert not groups_to_cancel({k: v for k, (v, _) in running.items()}, version, lag)
            if len(waiting) >= batch and not due:
                break
            running = {key: (begun, left - 1) for key, (begun, left) in running.items()}
            for key in [key for key, (_, left) in running.items() if left == 0]:
                waiting[key] = running.pop(key)[0]
        keys = sorted(waiting)
        chosen = groups_to_take([waiting[key] for key in keys], batch)
        assert len(chosen) == batch
        for index in chosen:
            assert not is_hopeless(waiting.pop(keys[index]), version, lag)
        taken += batch
    assert (submitted, taken) == (steps * batch + refused, steps * batch)
    assert not waiting
    assert not running
    assert not queued
