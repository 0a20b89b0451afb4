"""A seed makes a schedule, and the same one again."""

from __future__ import annotations

from pathlib import Path

from benchmarks.faults.schedule import Kind, Schedule, make_schedule

KINDS = {"kill": Kind(weight=3), "pause": Kind(weight=1, seconds=(0.5, 2.0))}


def test_the_same_seed_and_round_make_the_same_schedule() -> None:
    first = make_schedule(7, 2, "browser", KINDS, 40, 0.5)
    assert make_schedule(7, 2, "browser", dict(reversed(KINDS.items())), 40, 0.5) == first
    assert make_schedule(8, 2, "browser", KINDS, 40, 0.5) != first
    assert make_schedule(7, 3, "browser", KINDS, 40, 0.5) != first


def test_injections_come_in_order_of_progress_within_the_bounds_of_their_kind() -> None:
    injections = make_schedule(1, 0, "browser", KINDS, 200, 0.5).injections
    assert [each.number for each in injections] == list(range(200))
    assert [each.after for each in injections] == sorted(each.after for each in injections)
    assert 1 <= injections[0].after <= injections[-1].after <= 100
    for each in injections:
        low, high = KINDS[each.kind].seconds
        assert low <= each.seconds <= high
    kills = sum(each.kind == "kill" for each in injections)
    assert 110 < kills < 190, "three quarters of them, by their weights"


def test_a_schedule_is_read_back_and_shortened(tmp_path: Path) -> None:
    schedule = make_schedule(1, 0, "browser", KINDS, 5, 1.0)
    schedule.write(tmp_path / "schedule.json")
    assert Schedule.read(tmp_path / "schedule.json") == schedule
    kept = schedule.keep(frozenset({1, 4}))
    assert kept.injections == (schedule.injections[1], schedule.injections[4])
    assert kept.round == schedule.round
