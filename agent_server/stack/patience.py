"""How long a child that answers nothing is waited for.

Guarantees: a child that computes, or waits for a disk, is given time, since a slow machine looks
the same; one that neither answers nor uses the processor is given up sooner. An answer starts the
count again.
"""

from __future__ import annotations

from dataclasses import dataclass

import psutil

LIMIT = 6
"""Unanswered questions, of which one that found the child idle counts `IDLE_WEIGHT`."""
IDLE_WEIGHT = 3


@dataclass(frozen=True, slots=True)
class Activity:
    """What a process has done so far, and whether a disk holds it up."""

    cpu_s: float
    in_disk_wait: bool = False

    @classmethod
    def of(cls, pid: int) -> Activity | None:
        """None: there is no such process any more."""
        try:
            process = psutil.Process(pid)
            with process.oneshot():
                times = process.cpu_times()
                in_disk_wait = process.status() == psutil.STATUS_DISK_SLEEP
        except psutil.NoSuchProcess:
            return None
        return cls(times.user + times.system, in_disk_wait)


@dataclass(slots=True)
class Patience:
    """Of one child. `last` is what it had done when it was asked before."""

    last: Activity | None = None
    misses: int = 0

    def is_exhausted(self, answered: bool, now: Activity | None) -> bool:
        """Count one question; whether this answerless one is the last that is waited for."""
        before, self.last = self.last, now
        if answered:
            self.misses = 0
            return False
        was_exhausted = self.misses >= LIMIT
        self.misses += IDLE_WEIGHT if _is_idle(before, now) else 1
        return self.misses >= LIMIT and not was_exhausted


def _is_idle(before: Activity | None, now: Activity | None) -> bool:
    if before is None or now is None:
        return False
    return now.cpu_s == before.cpu_s and not now.in_disk_wait
