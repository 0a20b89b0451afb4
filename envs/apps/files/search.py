"""Finding files: by name, kind, size and age, and by the text they hold.

Guarantees: a search visits a bounded number of files for a bounded time, stays inside the folder,
and says when it was cut. A pattern is a shell pattern or a plain text, never a program.
"""

from __future__ import annotations

import fnmatch
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files
from envs.contract.tools import Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


MAX_HITS = 200
MAX_VISITED = 50_000
MAX_SEARCHED = 4 * 1024 * 1024
"""Bytes of a file that are searched for text."""
SEARCH_S = 6.0
LINE_CHARS = 200


class Visits:
    """Walks a folder without following links; `cut` when it was too much."""

    def __init__(self) -> None:
        self.cut = False

    def walk(self, where: Path) -> Iterator[Path]:
        deadline = time.monotonic() + SEARCH_S
        count = 0
        for folder, folders, names in os.walk(where):
            folders.sort()
            for name in sorted(folders + names):
                count += 1
                if count > MAX_VISITED or time.monotonic() > deadline:
                    self.cut = True
                    return
                yield Path(folder, name)


@TOOLS.tool("files.find")
async def find(
    desktop: Desktop,
    path: str = "~",
    pattern: str = "*",
    kind: Literal["any", "file", "folder", "link"] = "any",
    larger_than: int | None = None,
    older_than_days: float | None = None,
    newer_than_days: float | None = None,
    hidden: bool = False,
) -> dict[str, Any]:
    """Files below a folder whose name fits a pattern such as "*.jpg" (upper and lower case
    alike), with size in bytes and time of change. At most 200."""
    where = paths.folder(desktop, path)

    def fits(item: Path, now: float) -> bool:
        is_link = item.is_symlink()
        if kind == "link" and not is_link:
            return False
        if kind == "folder" and (is_link or not item.is_dir()):
            return False
        if kind == "file" and (is_link or not item.is_file()):
            return False
        status = item.lstat()
        days = (now - status.st_mtime) / 86400
        return (
            (larger_than is None or status.st_size > larger_than)
            and (older_than_days is None or days > older_than_days)
            and (newer_than_days is None or days < newer_than_days)
        )

    def work() -> dict[str, Any]:
        visits, now = Visits(), time.time()
        hits: list[dict[str, Any]] = []
        for item in visits.walk(where):
            inside = item.relative_to(where)
            if not hidden and any(part.startswith(".") for part in inside.parts):
                continue
            if not fnmatch.fnmatchcase(item.name.lower(), pattern.lower()) or not fits(item, now):
                continue
            if len(hits) == MAX_HITS:
                visits.cut = True
                break
            status = item.lstat()
            hits.append(
                {"path": paths.printable(item), "size": status.st_size, "changed": status.st_mtime}
            )
        return {"found": hits, "cut": visits.cut}

    return await on_files(work)


@TOOLS.tool("files.search")
async def search(
    desktop: Desktop, text: str, path: str = "~", pattern: str = "*", match_case: bool = False
) -> dict[str, Any]:
    """Lines that contain a text, in the files below a folder (or in one file) whose name fits a
    pattern: path, line number, line. At most 200. `count` is how often the text occurs in all."""
    where = paths.existing(desktop, path)
    needle = text if match_case else text.lower()

    def work() -> dict[str, Any]:
        visits, count = Visits(), 0
        hits: list[dict[str, Any]] = []
        for item in visits.walk(where) if where.is_dir() else [where]:
            if not fnmatch.fnmatchcase(item.name.lower(), pattern.lower()):
                continue
            if item.is_symlink() or not item.is_file() or _is_hidden(item, where):
                continue
            for number, line in enumerate(_lines(item), 1):
                occurrences = (line if match_case else line.lower()).count(needle)
                if not occurrences:
                    continue
                count += occurrences
                if len(hits) < MAX_HITS:
                    hits.append(
                        {"path": paths.printable(item), "line": number, "text": line[:LINE_CHARS]}
                    )
                else:
                    visits.cut = True
        return {"found": hits, "count": count, "cut": visits.cut}

    return await on_files(work) if needle else {"found": [], "count": 0, "cut": False}


def _is_hidden(item: Path, where: Path) -> bool:
    return item != where and any(part.startswith(".") for part in item.relative_to(where).parts)


def _lines(path: Path) -> list[str]:
    """Of a text file; none of a binary one."""
    with path.open("rb") as file:
        data = file.read(MAX_SEARCHED)
    return [] if b"\0" in data[:8192] else data.decode("utf-8", "replace").splitlines()
