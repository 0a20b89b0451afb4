"""The getter that reads a whole folder.

Guarantees: every file and folder is listed, empty ones too; links are never followed.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import Machine, local_path

MAX_TEXT = 1024 * 1024


async def vm_folder(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, str | None]:
    """Entries below a folder, by path: a file's text ("sha256:..." if it is no text, or longer than
    MAX_TEXT), null for a folder, "link:target" for a link, "special" for a pipe or device. Names
    that begin with a dot are left out."""
    folder = local_path(machine, parameters["path"])
    if folder.is_symlink() or not folder.is_dir():
        raise FileNotFoundError(parameters["path"])
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
