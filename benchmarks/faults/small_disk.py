"""A disk of its own size that really fills up: a tmpfs in a mount namespace, which processes are
started in, and which others of this user reach through /proc.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from envs.io.child_process import die_with_parent, stop_group

BLOCK = 2**16


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """`place`: its folder in the namespace; `path`: the same for processes outside, who must not
    resolve it. `enter`: the beginning of a command line that is to see the disk."""

    place: Path
    path: Path
    enter: tuple[str, ...]

    @property
    def _filler(self) -> Path:
        return self.path / "filler"

    def fill(self, leave_bytes: int = 0) -> None:
        """Take all space but so much."""
        descriptor = os.open(self._filler, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            free = os.statvfs(self.path)
            size = max(0, free.f_bavail * free.f_frsize - leave_bytes)
            if size:
                with contextlib.suppress(OSError):  # others write meanwhile
                    os.posix_fallocate(descriptor, 0, size)
            os.lseek(descriptor, 0, os.SEEK_END)
            if leave_bytes == 0:
                with contextlib.suppress(OSError):
                    while True:
                        os.write(descriptor, b"x" * BLOCK)
        finally:
            os.close(descriptor)

    def free(self) -> None:
        """Give the space back."""
        self._filler.unlink(missing_ok=True)


@contextlib.asynccontextmanager
async def small_disk(place: Path, megabytes: int) -> AsyncIterator[SmallDisk]:
    """A disk that lives while the context does. Raises RuntimeError without bubblewrap."""
    place.mkdir(parents=True, exist_ok=True)
    holder = await asyncio.create_subprocess_exec(
        *("bwrap", "--dev-bind", "/", "/", "--die-with-parent"),
        *("--size", str(megabytes * 2**20), "--tmpfs", str(place.resolve()), "--"),
        *("sleep", "infinity"),
        start_new_session=True,
        preexec_fn=die_with_parent,
    )
    try:
        inside = await _find_inside(holder.pid, place.resolve())
        enter: tuple[str, ...] = ("nsenter", f"--target={inside}", "--mount")
        if os.geteuid() != 0:
            enter = (*enter, "--user", "--preserve-credentials")
        path = Path(f"/proc/{inside}/root{place.resolve()}")
        yield SmallDisk(place.resolve(), path, (*enter, f"--wd={Path.cwd()}", "--"))
    finally:
        await stop_group(holder)


async def _find_inside(holder: int, place: Path) -> int:
    """A process that sees the disk. Raises RuntimeError."""
    for _ in range(200):
        with contextlib.suppress(psutil.Error, OSError):
            for process in (psutil.Process(holder), *psutil.Process(holder).children()):
                path = Path(f"/proc/{process.pid}/root{place}")
                if process.name() == "sleep" and path.stat().st_dev != place.stat().st_dev:
                    return int(process.pid)
        await asyncio.sleep(0.05)
    raise RuntimeError("bubblewrap made no small disk")
