"""Deleting files: to the trash, as a file manager does, or for good; and getting them back.

Guarantees: the trash is the home trash of the freedesktop.org specification, so that the desktop's
own programs show and restore what was put there, and the other way round.
"""

from __future__ import annotations

import configparser
import os
import shutil
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, unquote

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


TRASH = ".local/share/Trash"


@TOOLS.tool("files.delete")
async def delete(desktop: Desktop, path: str, for_good: bool = False) -> dict[str, str]:
    """Puts a file or folder into the trash, or deletes it for good. A link is deleted itself, not
    what it leads to."""
    where = paths.entry(desktop, path)
    if not os.path.lexists(where):
        paths.raise_missing(where, path)
    trash = paths.resolve(desktop, TRASH)
    if not for_good and (trash.is_relative_to(where) or where.is_relative_to(trash)):
        raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} can only be deleted for good")

    def work() -> dict[str, str]:
        if for_good:
            _remove(where)
            return {"deleted": str(where)}
        return {"trashed": str(where), "name": _put(trash, where)}

    return await on_files(work)


@TOOLS.tool("files.trash")
async def list_trash(desktop: Desktop) -> list[dict[str, str]]:
    """What the trash holds: the name there, where it came from, when it was deleted."""

    def work() -> list[dict[str, str]]:
        files = paths.resolve(desktop, TRASH) / "files"
        if not files.is_dir():
            return []
        return [
            {"name": paths.printable(item.name), **_read_note(item)}
            for item in sorted(files.iterdir())[:500]
        ]

    return await on_files(work)


@TOOLS.tool("files.restore")
async def restore(desktop: Desktop, item: str, to: str | None = None) -> dict[str, str]:
    """Takes something out of the trash, back to where it came from or to another path. `item` is
    its name in the trash."""
    there = paths.resolve(desktop, TRASH) / "files" / item
    if Path(item).name != item or not os.path.lexists(there):
        names = ", ".join(entry["name"] for entry in await list_trash(desktop)) or "nothing"
        message = f"the trash has no {item[:100]!r}; it has: {names}"
        raise ToolError(ActionError.NOT_FOUND, message[:480])
    came_from = _read_note(there).get("from", "")
    if to is None and not came_from:
        raise ToolError(ActionError.BAD_VALUE, f"nothing says where {item[:100]} was; give `to`")
    where = paths.entry(desktop, to or came_from)

    def work() -> dict[str, str]:
        goal = paths.entry(desktop, str(where / item)) if where.is_dir() else where
        if os.path.lexists(goal):
            raise ToolError(ActionError.BAD_VALUE, f"{goal} exists already; give another `to`")
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(there, goal)
        _note_of(there).unlink(missing_ok=True)
        return {"path": str(goal)}

    return await on_files(work)


@TOOLS.tool("files.empty_trash")
async def empty_trash(desktop: Desktop) -> dict[str, int]:
    """Deletes for good what is in the trash; how many entries."""
    count = len(await list_trash(desktop))

    def work() -> None:
        for folder in ("files", "info"):
            there = paths.resolve(desktop, TRASH) / folder
            for item in list(there.iterdir()) if there.is_dir() else []:
                _remove(item)

    await on_files(work)
    return {"deleted": count}


def _put(trash: Path, where: Path) -> str:
    """The note is made first and alone, so that two of one name never meet."""
    for folder in ("files", "info"):
        (trash / folder).mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        name = where.name if number == 1 else f"{where.stem}.{number}{where.suffix}"
        item = trash / "files" / name
        try:
            note = _note_of(item).open("x")
        except FileExistsError:
            number += 1
            continue
        with note:
            now = datetime.now().strftime("%Y-%m-%dT%H:%M:%S")
            note.write(f"[Trash Info]\nPath={quote(str(where))}\nDeletionDate={now}\n")
        shutil.move(where, item)
        return name


def _note_of(item: Path) -> Path:
    return item.parent.with_name("info") / f"{item.name}.trashinfo"


def _read_note(item: Path) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(_note_of(item))
        section = parser["Trash Info"]
    except (configparser.Error, KeyError, UnicodeDecodeError):
        return {}
    return {"from": unquote(section.get("Path", "")), "deleted": section.get("DeletionDate", "")}


def _remove(where: Path) -> None:
    if where.is_dir() and not where.is_symlink():
        shutil.rmtree(where)
    else:
        where.unlink()
