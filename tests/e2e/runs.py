"""Starts real training runs for the tests, and waits with a bound."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from agent_server.store.queries import Accounting
from agent_server.store.store import Store

T = TypeVar("T")
DEADLINE_S = 600.0
EVALUATED = 12
"""Held-out episodes after each phase."""
TINY = [
    "imitate.episodes=18",
    "imitate.updates=10",
    "imitate.max_minutes=0.5",
    "reinforce.iterations=3",
    "reinforce.groups=4",
    "reinforce.group_size=4",
    "reinforce.max_minutes=3",
    "pulse.updates=4",
    "pulse.max_minutes=0.2",
    f"eval.episodes={EVALUATED}",
    "eval.dev_episodes=6",
    "eval.greedy=false",
    "eval.unseen_episodes=3",
    "eval.control_episodes=2",
    "serve.concurrency=8",
]


def command(*arguments: str, overrides: Sequence[str] = ()) -> list[str]:
    chosen = [part for override in overrides for part in ("--set", override)]
    return [sys.executable, "-m", "agent_server", *arguments, *chosen]


@contextlib.contextmanager
def started(output: Path, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own; stopped at the end, with all below it."""
    with output.open("wb") as log:
        process = subprocess.Popen(
            arguments, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)


def wait_for(condition: Callable[[], T], process: subprocess.Popen[bytes], what: str) -> T:
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        assert process.poll() is None, f"the run ended before {what}"
        time.sleep(0.3)
    raise AssertionError(f"no {what} within {DEADLINE_S:g} s")


def accounting(run_dir: Path, phase: str | None = None) -> Accounting:
    store = Store(f"sqlite:///{run_dir / 'deskhand.db'}")
    try:
        return store.episodes.accounting(run_dir.name, phase)
    finally:
        store.close()


def ended(run_dir: Path, phase: str) -> int:
    """Episodes of a phase that have a terminal state."""
    counts = accounting(run_dir, phase)
    return counts.scored + counts.truncated + sum(counts.invalid.values())
