"""What setup steps, getters and metrics need of the machine they work on; a `Desktop` is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from envs.desktop.processes import Completed
from envs.verify.evidence import MAX_FILE, TooLarge

BOX_HOME = "/home/user"


class Processes(Protocol):
    async def run(
        self,
        command: Sequence[str],
        timeout_s: float,
        cwd: Path | None = None,
        stdin: bytes | None = None,
    ) -> Completed: ...


class Machine(Protocol):
    """`home` is what programs on it call /home/user. `baseline`: content hash of each file there,
    by its path below home, when the task began. `outputs`: what the task's commands printed, by the
    name under which a setup step kept it."""

    home: Path
    baseline: dict[str, str]
    outputs: dict[str, str]

    @property
    def processes(self) -> Processes: ...


def located(machine: Machine, path: str) -> Path:
    """The file that programs on the machine call `path`; relative ones begin at home."""
    if path == "~" or path.startswith("~/"):
        path = BOX_HOME + path[1:]
    if path == BOX_HOME or path.startswith(f"{BOX_HOME}/"):
        return machine.home / path[len(BOX_HOME) + 1 :]
    return machine.home / path


def regular(path: Path) -> Path:
    """The path, if it is a file that can be judged. Raises FileNotFoundError, for a link, a folder
    or a device is not what the task asked for, and TooLarge."""
    if path.is_symlink() or not path.is_file():
        raise FileNotFoundError(str(path))
    if path.stat().st_size > MAX_FILE:
        raise TooLarge(path)
    return path
