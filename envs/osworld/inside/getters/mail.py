"""The getter of mail: the messages in the mail program's folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.format.mbox import read_mbox
from envs.osworld.inside.machine import Machine, local_path
from envs.osworld.inside.steps.mail import MAIL


async def mailboxes(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, list[dict[str, Any]]]:
    """Messages of each local folder by its path, such as "Work/Reports"."""
    root = local_path(machine, MAIL)
    return {
        path.relative_to(root).as_posix().replace(".sbd/", "/"): list(read_mbox(path.read_bytes()))
        for path in sorted(root.rglob("*"))
        if _holds_mail(path)
    }


def _holds_mail(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.suffix not in (".msf", ".dat", ".html")
