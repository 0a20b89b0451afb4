"""What setup steps, getters and metrics need of a machine; a `Desktop` is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from envs.desktop.processes import Completed
from envs.state.evidence import MAX_FILE, TooLarge

BOX_HOME = "/home/user"


class Processes(Protocol):
    """Runs programs on the machine."""

    async def run(
        self,
        command: Sequence[str],
        timeout_s: float,
        cwd: Path | None = None,
        stdin: bytes | None = None,
    ) -> Completed:
        """Runs a command to its end, or until `timeout_s` seconds have passed."""
        ...


class Machine(Protocol):
    """`home`: the folder that programs on the machine see as /home/user. `baseline`: content hash
    of each file there when the task began, by path below home. `outputs`: output of the task's
    commands, by the name under which a setup step stored it. `lent`: files that the client keeps a
    mirror of, by URL or path in the mirror."""

    home: Path
    baseline: dict[str, str]
    outputs: dict[str, str]
    lent: dict[str, BinaryIO]

    @property
    def processes(self) -> Processes:
        """Runs programs on the machine."""
        ...


def local_path(machine: Machine, path: str) -> Path:
    """The local path of a file that programs on the machine call `path`; a relative one starts at
    home."""
    if path == "~" or path.startswith("~/"):
        path = BOX_HOME + path[1:]
    if path == BOX_HOME or path.startswith(f"{BOX_HOME}/"):
        return machine.home / path[len(BOX_HOME) + 1 :]
    return machine.home / path


def require_regular_file(path: Path) -> Path:
    """The path, if it is a regular file that can be judged. Raises FileNotFoundError for a link, a
    folder or a device, and TooLarge."""
    if path.is_symlink() or not path.is_file():
        raise FileNotFoundError(str(path))
    if path.stat().st_size > MAX_FILE:
        raise TooLarge(path)
    return path
