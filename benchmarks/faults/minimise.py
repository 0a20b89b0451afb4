"""Shortens a schedule while it still shows the same kind of find: delta debugging (Zeller and
Hildebrandt, "Simplifying and isolating failure-inducing input", 2002), with a bound on its tries.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from benchmarks.faults.schedule import Schedule

Shows = Callable[[Schedule], Awaitable[bool]]


async def minimise(schedule: Schedule, shows: Shows, tries: int) -> Schedule:
    """The shortest schedule that still `shows` the find, as far as `tries` replays tell. A fault
    that shows only sometimes may stop it early: the result always showed the find once."""
    pieces = 2
    while len(schedule.injections) >= 2:
        numbers = [each.number for each in schedule.injections]
        size = -(-len(numbers) // pieces)
        chunks = [numbers[at : at + size] for at in range(0, len(numbers), size)]
        for chunk in chunks:
            if tries == 0:
                return schedule
            tries -= 1
            shorter = schedule.keep(frozenset(numbers) - frozenset(chunk))
            if await shows(shorter):
                schedule, pieces = shorter, max(2, pieces - 1)
                break
        else:
            if pieces >= len(numbers):
                return schedule
            pieces = min(len(numbers), 2 * pieces)
    return schedule
