"""What the programs of a task may use of their box: memory, processes, disk.

Guarantees: a watching thread of the host measures them several times a second, whatever the event
loop does; over a limit the programs of the task are killed, and `excess` says why until the next
task. The host and the desktop's own programs go on. The kernel's own limits (cgroups, RLIMIT_NPROC)
stand behind it where they can be set; see `envs.providers.box_limits`.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from envs.io.process_memory import PAGE, proportional_share

EVERY_S = 0.25
DISK_EVERY_S = 1.0
DISK_SHARE = 20
"""A measurement of the disk is followed by so many times its own duration without one."""
KILL_S = 5.0
"""After that the rest of the box is killed too, the desktop with it; a reset starts it again."""
FIRST = 1
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """0 is no limit. Memory is the sum of the programs' proportional shares (PSS)."""

    memory_mb: int = 0
    processes: int = 0
    disk_mb: int = 0

    def __bool__(self) -> bool:
        return bool(self.memory_mb or self.processes or self.disk_mb)


NO_LIMITS = BoxLimits()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the programs of a task use now. `threads`: of all of them."""

    pids: tuple[int, ...]
    threads: int
    resident: int


class Watch:
    """Watches the processes of this namespace but those that `is_own` names, and a folder."""

    def __init__(self, limits: BoxLimits, home: Path, is_own: Callable[[int], bool]) -> None:
        self.limits = limits
        self.excess: str | None = None
        self._home = home
        self._is_own = is_own
        self._ended = threading.Event()
        self._disk_at = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Starts the thread, if there is a limit to watch."""
        if self.limits and self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="limits", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY_S):
            excess = self.find_excess()
            if excess is not None:
                self.excess = excess
                self._kill()

    def find_excess(self) -> str | None:
        """Which limit is passed, and by what; None: none."""
        limits, usage = self.limits, measure(self._is_own)
        if limits.processes and usage.threads > limits.processes:
            return f"processes: {usage.threads} processes and threads, {limits.processes} allowed"
        if limits.memory_mb and usage.resident > limits.memory_mb * MB:
            shares = sum(map(proportional_share, usage.pids))
            if shares > limits.memory_mb * MB:
                return f"memory: {shares // MB} MB, {limits.memory_mb} MB allowed"
        if limits.disk_mb and time.monotonic() >= self._disk_at:
            started = time.monotonic()
            used = disk_use(self._home) + disk_use_of_deleted(usage.pids, self._home)
            spent = time.monotonic() - started
            self._disk_at = time.monotonic() + max(DISK_EVERY_S, DISK_SHARE * spent)
            if used > limits.disk_mb * MB and self.excess is None:
                return f"disk: {used // MB} MB in the home folder, {limits.disk_mb} MB allowed"
        return None

    def _kill(self) -> None:
        """Until none of the task is left. Programs that fork as fast as they die are stopped
        first; those that still are there at the end go with everything else."""
        deadline = time.monotonic() + KILL_S
        while pids := measure(self._is_own).pids:
            if time.monotonic() > deadline and os.getpid() == FIRST:
                os.kill(-1, signal.SIGKILL)
                return
            for sign in (signal.SIGSTOP, signal.SIGKILL):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, sign)


def measure(is_own: Callable[[int], bool]) -> Usage:
    """Of all living processes of this namespace but this one and its own."""
    pids, threads, resident = [], 0, 0
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit() or int(entry.name) == os.getpid() or is_own(int(entry.name)):
            continue
        with contextlib.suppress(OSError):
            # The name, in brackets, may hold spaces; the fields behind it are counted from 3.
            with Path(entry.path, "stat").open() as file:
                fields = file.read().rpartition(")")[2].split()
            if fields[0] == "Z":
                continue
            pids.append(int(entry.name))
            threads += int(fields[17])
            resident += int(fields[21]) * PAGE
    return Usage(tuple(pids), threads, resident)


def disk_use(folder: Path) -> int:
    """Bytes that everything below the folder takes on the disk; no link is followed."""
    used, pending = 0, [str(folder)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
    return used


def disk_use_of_deleted(pids: tuple[int, ...], folder: Path) -> int:
    """Bytes of files without a name that these processes hold open on the folder's disk."""
    device, sizes = folder.stat().st_dev, dict[int, int]()
    for path in _deleted_files(pids):
        with contextlib.suppress(OSError):
            status = Path(path).stat()
            nameless = stat.S_ISREG(status.st_mode) and status.st_nlink == 0
            if nameless and status.st_dev == device:
                sizes[status.st_ino] = status.st_blocks * 512
    return sum(sizes.values())


def _deleted_files(pids: tuple[int, ...]) -> Iterator[str]:
    """Open descriptors, below /proc, of files without a name. Their links say so; a `stat` of every
    descriptor of an office takes forty milliseconds, in which its desktop waits."""
    for pid in pids:
        with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as descriptors:
            for descriptor in descriptors:
                with contextlib.suppress(OSError):
                    if os.readlink(descriptor.path).endswith(" (deleted)"):  # noqa: PTH115 - speed
                        yield descriptor.path


def limit_program(limits: BoxLimits) -> None:
    """For `preexec_fn`: a program of the task is what the kernel ends first when memory is short,
    and it cannot start more processes than are allowed (unless its user is root's)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("900")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, allowed in (
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_FSIZE, limits.disk_mb * MB),
    ):
        if allowed:
            resource.setrlimit(kind, (allowed, allowed))
