"""The getter of mail: what is in the mail program's folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.verify.machine import Machine, located
from envs.verify.mbox import read_mbox
from envs.verify.registry import Ending, getter
from envs.verify.steps.mail import MAIL


@getter("mailboxes")
async def mailboxes(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """Messages of each local folder by its path, such as "Work/Reports"."""
    root = located(machine, MAIL)
    return {
        path.relative_to(root).as_posix().replace(".sbd/", "/"): list(read_mbox(path.read_bytes()))
        for path in sorted(root.rglob("*"))
        if _holds_mail(path)
    }


def _holds_mail(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.suffix not in (".msf", ".dat", ".html")
