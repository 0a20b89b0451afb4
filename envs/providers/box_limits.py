"""The kernel's limits on a bubblewrap box: a control group of its own, where one can be made.

Guarantees: all processes of the box are in it from the first; it is removed with the box. It allows
some more than the host inside does (`envs.desktop.limits`), which ends a task's programs by itself
and says why: the group is what stops a bomb that is faster than a watching thread. Control groups
of version 2 and version 1 are used, whichever has the controllers. Without the right to make one
the limits of the watching thread and RLIMIT_NPROC remain.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from envs.desktop.limits import MB, BoxLimits

ROOT = Path("/sys/fs/cgroup")
DEFAULT = BoxLimits(memory_mb=3072, processes=1024, disk_mb=2048)
"""Of the programs of a task; several times what LibreOffice, GIMP and Chromium use together."""
SPARE_MB, SPARE_PROCESSES = 1024, 256
"""What the group allows beyond: for the host and the desktop, and so that the watch is first."""
REMOVE_S, PAUSE_S = 10.0, 0.05


@contextlib.contextmanager
def control_groups(limits: BoxLimits) -> Iterator[list[Path]]:
    """Folders of the box's groups; none where none can be made. Processes write "0" into the
    `cgroup.procs` of each to enter it."""
    name = f"deskhand-{secrets.token_hex(6)}"
    groups: list[Path] = []
    try:
        for parent, settings in _hierarchies(limits):
            with contextlib.suppress(OSError):
                groups.append(_make_group(parent / name, settings))
        yield groups
    finally:
        for group in groups:
            _remove(group)


def _hierarchies(limits: BoxLimits) -> Iterator[tuple[Path, dict[str, str]]]:
    """Where groups are made, and what is written into their files."""
    memory = (limits.memory_mb + SPARE_MB) * MB if limits.memory_mb else 0
    processes = limits.processes + SPARE_PROCESSES if limits.processes else 0
    own = _own_groups()
    if (ROOT / "cgroup.controllers").exists():
        # Beside the own group: one that holds processes cannot limit groups below itself.
        parent = (ROOT / own.get("", "").lstrip("/")).parent if own.get("", "/") != "/" else ROOT
        with contextlib.suppress(OSError):
            _write(parent / "cgroup.subtree_control", "+memory +pids")
        yield parent, {"memory.max": str(memory), "pids.max": str(processes)}
        return
    for controller, file, value in (
        ("memory", "memory.limit_in_bytes", memory),
        ("pids", "pids.max", processes),
    ):
        if controller in own:
            yield ROOT / controller / own[controller].lstrip("/"), {file: str(value)}


def _own_groups() -> dict[str, str]:
    """This process's groups by controller; that of version 2 has none."""
    lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    return {name: path for _, controllers, path in lines for name in controllers.split(",")}


def _make_group(folder: Path, settings: dict[str, str]) -> Path:
    """Raises OSError, and leaves nothing then."""
    folder.mkdir()
    try:
        for file, value in settings.items():
            if value != "0":
                _write(folder / file, value)
    except OSError:
        folder.rmdir()
        raise
    return folder


def _write(file: Path, text: str) -> None:
    """Does not create the file, unlike `Path.write_text`."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def enter(groups: list[Path]) -> None:
    """For `preexec_fn`: this process and what it starts are in the groups."""
    for group in groups:
        _write(group / "cgroup.procs", "0")


def _remove(group: Path) -> None:
    """The box's last processes may still be ending. Bounded."""
    deadline = time.monotonic() + REMOVE_S
    while True:
        try:
            group.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                return
            time.sleep(PAUSE_S)
