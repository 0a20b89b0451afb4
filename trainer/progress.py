"""The display of a run: phase, success, steps/s, swaps, invalid episodes, time left.

On a terminal it is a live table; elsewhere it prints a line when something changes, at most one in
`LINE_EVERY_S` seconds, except when a phase begins or an evaluation ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from trainer.collector import FinishedGroup

LINE_EVERY_S = 15.0


class Progress:
    """Use as a context manager. `count_invalid` is called whenever the display is drawn."""

    def __init__(self, console: Console, title: str, phases: Sequence[str]) -> None:
        self._console = console
        self._title = title
        self._phases = list(phases)
        self._phase = ""
        self._detail = "starting"
        self._fraction = 0.0
        self._began = time.monotonic()
        self._steps = 0
        self._steps_since = time.monotonic()
        self._solved = self._seen = 0
        self._swaps = self._rejected = 0
        self._evals: list[str] = []
        self._last_line = 0.0
        self.count_invalid: Callable[[], int] = lambda: 0
        self.api_note = ""
        self._live: Live | None = None

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=self._table, console=self._console, refresh_per_second=2
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def begin_phase(self, name: str) -> None:
        """Resets the counts, which are those of the present phase."""
        self._phase, self._detail, self._fraction = name, "", 0.0
        self._steps, self._steps_since = 0, time.monotonic()
        self._solved = self._seen = 0
        self._print_line(force=True)

    def show_detail(self, text: str) -> None:
        """Shows what the phase is doing."""
        self._detail = text
        self._print_line()

    def set_fraction(self, done: float) -> None:
        """Sets the share of the phase that is done, 0 to 1; time left follows from it."""
        self._fraction = min(max(done, 0.0), 1.0)

    def count_episodes(self, groups: Sequence[FinishedGroup]) -> None:
        """Counts the episodes of groups that are complete."""
        rows = [row for group in groups for row in group.episodes]
        self._steps += sum(row.steps for row in rows)
        self._seen += len(rows)
        self._solved += sum(bool(row.success) for row in rows)

    def count_swap(self, accepted: bool) -> None:
        """Counts a swap that was verified, or one that was rejected."""
        self._swaps += accepted
        self._rejected += not accepted

    def show_evaluation(self, name: str, rate: float, low: float, high: float) -> None:
        """Adds an evaluation's success rate with its 95% interval."""
        self._evals.append(f"{name} {rate:.0%} [{low:.0%}, {high:.0%}]")
        self._print_line(force=True)

    def _time_left(self) -> str:
        """Of the present phase, by its speed so far; unknown at its start."""
        spent = time.monotonic() - self._steps_since
        if self._fraction < 0.02:
            return "…"
        return _clock(spent / self._fraction - spent)

    def _rows(self) -> list[tuple[str, str]]:
        seconds = max(time.monotonic() - self._steps_since, 1e-9)
        return [
            ("phase", f"{self._phase_title()}  {self._detail}"),
            ("success", f"{self._solved}/{self._seen}" if self._seen else "-"),
            ("env steps/s", f"{self._steps / seconds:.1f}"),
            (
                "swaps",
                f"{self._swaps}" + (f", {self._rejected} rejected" if self._rejected else ""),
            ),
            ("invalid", str(self.count_invalid())),
            ("evaluated", "; ".join(self._evals) or "-"),
            ("time", f"{_clock(time.monotonic() - self._began)}, phase left {self._time_left()}"),
        ]

    def _phase_title(self) -> str:
        if self._phase not in self._phases:
            return self._phase
        return f"{self._phase} ({self._phases.index(self._phase) + 1}/{len(self._phases)})"

    def _table(self) -> Table:
        table = Table(title=self._title, show_header=False, expand=True)
        for name, value in self._rows():
            table.add_row(name, value)
        table.add_row("", ProgressBar(total=1.0, completed=self._fraction))
        if self.api_note:
            table.add_row("api", self.api_note)
        return table

    def _print_line(self, force: bool = False) -> None:
        now = time.monotonic()
        if self._live is not None or (not force and now - self._last_line < LINE_EVERY_S):
            return
        self._last_line = now
        self._console.print(
            "  ".join(f"{name}: {value}" for name, value in self._rows()),
            highlight=False,
            soft_wrap=True,
        )


def _clock(seconds: float) -> str:
    """Minutes:seconds."""
    minutes, rest = divmod(int(max(seconds, 0)), 60)
    return f"{minutes}:{rest:02d}"
