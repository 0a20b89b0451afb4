"""Setup steps of Chromium's profile.

{"type": "chromium_bookmarks", "parameters": {"bookmarks": [["bar/Work", "Wiki", "https://..."],
 ["bar", "Empty", null]]}}                    before Chromium starts; null makes a folder
{"type": "chromium_closed"}                   closes it as a person would and waits for its end
"""

from __future__ import annotations

import asyncio
import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import BOX_HOME, Machine, local_path
from envs.osworld.inside.steps.files import prepare_path

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

CLOSE_S = 20.0
LOOK_AGAIN_S = 0.05
LOCK = f"{BOX_HOME}/.config/chromium/SingletonLock"
"""A link that names the host and the process of the Chromium that runs. It goes before Chromium
has written its files, so the end of the process counts."""
BOOKMARKS = f"{BOX_HOME}/.config/chromium/Default/Bookmarks"
_ROOTS = {"bar": "bookmark_bar", "other": "other"}


async def chromium_bookmarks(machine: Machine, parameters: Parameters) -> None:
    """Writes the file of bookmarks. Raises KeyError for a place that does not begin with bar or
    other."""
    numbers = iter(range(1, 10_000))
    roots = {
        key: _folder(next(numbers), title)
        for key, title in (
            ("bookmark_bar", "Bookmarks bar"),
            ("other", "Other bookmarks"),
            ("synced", "Mobile bookmarks"),
        )
    }
    for where, title, url in parameters["bookmarks"]:
        top, *names = where.split("/")
        node = roots[_ROOTS[top]]
        for name in names:
            node = _child(node, name, numbers)
        if url is None:
            _child(node, title, numbers)
        else:
            bookmark = {"id": str(next(numbers)), "name": title, "type": "url", "url": url}
            node["children"].append(bookmark)
    content = json.dumps({"roots": roots, "version": 1}, indent=1)
    prepare_path(machine, BOOKMARKS).write_text(content)


def _child(node: dict[str, Any], name: str, numbers: Any) -> dict[str, Any]:
    for child in node["children"]:
        if child["type"] == "folder" and child["name"] == name:
            existing: dict[str, Any] = child
            return existing
    folder = _folder(next(numbers), name)
    node["children"].append(folder)
    return folder


def _folder(number: int, name: str) -> dict[str, Any]:
    return {"id": str(number), "name": name, "type": "folder", "children": []}


async def ensure_chromium_closed(desktop: Desktop, parameters: Parameters) -> None:
    """Closes Chromium, if it runs, and waits for its end. Raises TimeoutError."""
    await close_chromium(desktop, CLOSE_S)


async def close_chromium(desktop: Desktop, limit_s: float) -> None:
    """Closes Chromium's windows until its process has ended. Raises TimeoutError."""
    process = running_process(desktop)
    async with asyncio.timeout(limit_s):
        while process is not None and process.exists():
            for window in await desktop.windows():
                if window.application.lower() == "chromium":
                    await desktop.x.run(partial(windows.close, desktop.x11, window.id))
            await asyncio.sleep(LOOK_AGAIN_S)


def running_process(machine: Machine) -> Path | None:
    """The folder in /proc of the Chromium that runs, which vanishes when it ends; None if none
    runs."""
    lock = local_path(machine, LOCK)
    if not os.path.lexists(lock):
        return None
    return Path("/proc", lock.readlink().name.rpartition("-")[2])
