"""Processes that see a folder as a disk of a few megabytes, which really fills up: tmpfs."""

from __future__ import annotations

from pathlib import Path

import psutil


def on_small_disk(folder: Path, megabytes: int) -> list[str]:
    """The start of a command line; the folder exists and is empty for that process."""
    return [
        "bwrap", "--dev-bind", "/", "/", "--die-with-parent",
        "--size", str(megabytes * 2**20), "--tmpfs", str(folder), "--",
    ]  # fmt: skip


def seen_by(bwrap_pid: int, path: Path) -> Path:
    """The path as a process sees it that was started on a small disk."""
    inner = psutil.Process(bwrap_pid).children()[0].pid
    return Path(f"/proc/{inner}/root{path}")


def fill(path: Path) -> None:
    """Write a file until the disk is full."""
    with path.open("wb", buffering=0) as file:
        for size in (2**16, 2**10, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
