"""Ends a worker whose event loop hangs: it would go on leasing episodes that never run. While the
loop runs, a file is touched: who watches that notices a process that hangs as a whole.

The supervisor (or the container's restart policy) starts it again; the leases of its episodes end
and they are run elsewhere. A process that was stopped and goes on is given time: only turns in
which this thread ran and the loop did not count.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from pathlib import Path

log = logging.getLogger(__name__)

TURN_S = 0.5


class Watchdog:
    """A thread beside the loop's. `is_loop_alive` is asked before an episode is leased;
    `alive_file` is touched after each turn of the loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, limit_s: float, alive_file: Path | None = None
    ) -> None:
        self._loop = loop
        self._alive_file = alive_file
        self._turns = max(2, round(limit_s / TURN_S))
        self._missed = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    @property
    def is_loop_alive(self) -> bool:
        """Whether the loop ran lately: less than half of the limit ago."""
        return self._missed < self._turns / 2

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            ran = threading.Event()
            self._loop.call_soon_threadsafe(ran.set)
            while not ran.wait(TURN_S) and not self._stop.is_set():
                self._missed += 1
                if self._missed >= self._turns:
                    log.critical("the event loop hangs: this worker ends, to be started again")
                    os._exit(os.EX_SOFTWARE)
            self._missed = 0
            self._touch()
            self._stop.wait(TURN_S)

    def _touch(self) -> None:
        if self._alive_file is None:
            return
        try:
            self._alive_file.touch()
        except OSError as error:
            log.warning("cannot say that this worker is alive: %s", error)
