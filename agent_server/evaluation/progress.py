"""Live progress of a job: how many trials have ended, how many were solved, when it will end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agent_server.store.queries import Slot

EVERY_SHARE = 0.1
"""Without a terminal a line is printed each time another such share has ended."""


def seconds_left(ended: int, total: int, elapsed_s: float) -> float | None:
    """At the pace so far; None before the first end."""
    return None if not ended else elapsed_s * (total - ended) / ended


class JobProgress:
    """`before`: trials that had ended when this process began, which say nothing of its pace."""

    def __init__(self, console: Console, total: int, before: int) -> None:
        self._console, self._total, self._before = console, total, before
        self._started = time.monotonic()
        self._told = before
        self._bar = Progress(
            TextColumn("episodes"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total, completed=before)

    def update(self, slots: Iterable[Slot]) -> None:
        found = list(slots)
        states = Counter(slot.state for slot in found)
        ended = states["arrived"] + states["lost"] + states["cancelled"]
        told = f"solved {sum(slot.success is True for slot in found)}, lost {states['lost']}"
        left = seconds_left(
            ended - self._before, self._total - self._before, time.monotonic() - self._started
        )
        if left is not None and ended < self._total:
            told += f", ends about {_clock(left)}"
        self._bar.update(self._task, completed=ended, description=told)
        share = max(1, int(self._total * EVERY_SHARE))
        if not self._console.is_terminal and ended // share > self._told // share:
            self._told = ended
            self._console.print(f"{ended} of {self._total}: {told}", highlight=False)

    def __enter__(self) -> JobProgress:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()


def _clock(seconds: float) -> str:
    at = datetime.now() + timedelta(seconds=seconds)
    return f"{at:%H:%M:%S}" if seconds < 12 * 3600 else f"{at:%a %H:%M}"
