"""A schedule is shortened to what is needed."""

from __future__ import annotations

from benchmarks.faults.minimise import minimise
from benchmarks.faults.schedule import Kind, Schedule, make_schedule

SCHEDULE = make_schedule(1, 0, "browser", {"kill": Kind(weight=1)}, 32, 1.0)


def numbers(schedule: Schedule) -> set[int]:
    return {each.number for each in schedule.injections}


async def test_two_injections_that_matter_together_are_left() -> None:
    async def shows(schedule: Schedule) -> bool:
        return {5, 23} <= numbers(schedule)

    assert numbers(await minimise(SCHEDULE, shows, tries=200)) == {5, 23}


async def test_the_number_of_tries_is_a_bound_and_the_result_still_shows_it() -> None:
    tries = 0

    async def shows(schedule: Schedule) -> bool:
        nonlocal tries
        tries += 1
        return 5 in numbers(schedule)

    shorter = await minimise(SCHEDULE, shows, tries=3)
    assert tries == 3
    assert 5 in numbers(shorter)
    assert len(shorter.injections) < 32


async def test_what_never_shows_again_stays_whole() -> None:
    async def shows(schedule: Schedule) -> bool:
        return False

    assert await minimise(SCHEDULE, shows, tries=500) == SCHEDULE
