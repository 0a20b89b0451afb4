"""The getter that reads a whole folder.

Guarantees: every file and folder is seen, empty ones too; links are never followed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from envs.verify.machine import Machine, located
from envs.verify.registry import Ending, getter

MAX_TEXT = 1024 * 1024


@getter("vm_folder")
async def vm_folder(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, str | None]:
    """What is below a folder, by path: a file's text ("sha256:..." of what is no text, or longer
    than MAX_TEXT), null for a folder, "link:target" for a link, "special" for a pipe or device.
    Names that begin with a dot are left out."""
    folder = located(machine, given["path"])
    if folder.is_symlink() or not folder.is_dir():
        raise FileNotFoundError(given["path"])
    return {
        path.relative_to(folder).as_posix(): _content(path)
        for path in sorted(folder.rglob("*"))
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _content(path: Path) -> str | None:
    if path.is_symlink():
        return f"link:{path.readlink()}"
    if path.is_dir():
        return None
    if not path.is_file():
        return "special"
    with path.open("rb") as file:
        content = file.read(MAX_TEXT + 1)
        if len(content) <= MAX_TEXT:
            with suppress(UnicodeDecodeError):
                return content.decode()
        file.seek(0)
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
