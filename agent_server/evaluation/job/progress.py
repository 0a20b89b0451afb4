"""Live progress of a job: trials that ended, trials that were solved, expected end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agent_server.store.queries import GroupMember

REPORT_SHARE = 0.1
"""Without a terminal, a line is printed each time this share of the trials has ended."""


def seconds_left(ended: int, total: int, elapsed_s: float) -> float | None:
    """Remaining seconds at the pace so far; None before the first trial has ended."""
    return None if not ended else elapsed_s * (total - ended) / ended


class JobProgress:
    """A progress bar on a terminal, else a line now and then. `before`: trials that had ended when
    this process started; they do not count for the pace."""

    def __init__(self, console: Console, total: int, before: int) -> None:
        self._console, self._total, self._before = console, total, before
        self._started = time.monotonic()
        self._reported = before
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

    def update(self, members: Iterable[GroupMember]) -> None:
        """Show the current state of all trials."""
        trials = list(members)
        states = Counter(member.state for member in trials)
        ended_count = states["arrived"] + states["lost"] + states["cancelled"]
        text = f"solved {sum(member.success is True for member in trials)}, lost {states['lost']}"
        remaining_s = seconds_left(
            ended_count - self._before, self._total - self._before, time.monotonic() - self._started
        )
        if remaining_s is not None and ended_count < self._total:
            text += f", ends about {_clock(remaining_s)}"
        self._bar.update(self._task, completed=ended_count, description=text)
        share = max(1, int(self._total * REPORT_SHARE))
        if not self._console.is_terminal and ended_count // share > self._reported // share:
            self._reported = ended_count
            self._console.print(f"{ended_count} of {self._total}: {text}", highlight=False)

    def __enter__(self) -> JobProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def _clock(seconds: float) -> str:
    at = datetime.now() + timedelta(seconds=seconds)
    return f"{at:%H:%M:%S}" if seconds < 12 * 3600 else f"{at:%a %H:%M}"
