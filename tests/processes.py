"""Processes that tests started: what still runs of them, and which are browsers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import psutil


def left_of(processes: Iterable[psutil.Process], timeout_s: float = 10) -> list[psutil.Process]:
    """Those that still run, after a moment to go."""
    _, alive = psutil.wait_procs(list(processes), timeout=timeout_s)
    return [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


def browser_processes() -> set[int]:
    """Ids of the browsers below this process, their own helper processes left out."""
    running = set()
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            line = " ".join(child.cmdline())
            if "--remote-debugging-pipe" in line and "--type=" not in line:
                running.add(child.pid)
    return running
