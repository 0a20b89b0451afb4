"""Runs an example as its reader does, and checks that it leaves nothing running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.processes import left_of

ROOT = Path(__file__).parents[2]
MARK = "TMPDIR"
"""Environment variable by which processes below an example are found, reparented ones too: it has
to be one that children inherit."""


def run_example(name: str, *arguments: str, timeout_s: float = 250) -> str:
    """What the example prints. It has to end with code 0."""
    with start_example(name, *arguments) as process:
        output, _ = process.communicate(timeout=timeout_s)
        assert process.returncode == 0, output
    return output


@contextlib.contextmanager
def start_example(name: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The example as a process, interrupted at the end if it still runs. Then all that it started
    must have ended."""
    with tempfile.TemporaryDirectory(prefix="dh-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-u", f"examples/{name}.py", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), MARK: folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
            remaining = left_of(marked_processes(folder))
        assert not remaining


def marked_processes(folder: str) -> list[psutil.Process]:
    """All processes with this folder in their environment."""
    marked = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(MARK) == folder:
                marked.append(process)
    return marked
