"""Setup steps of Chromium's profile.

{"type": "chromium_bookmarks", "parameters": {"bookmarks": [["bar/Work", "Wiki", "https://..."],
 ["bar", "Empty", null]]}}                    before Chromium starts; null makes a folder
{"type": "chromium_closed"}                   closes it as a person would and waits for its end
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.verify.machine import BOX_HOME, Machine, located
from envs.verify.setup import step
from envs.verify.steps.files import place

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

CLOSE_S = 20.0
LOOK_AGAIN_S = 0.05
LOCK = f"{BOX_HOME}/.config/chromium/SingletonLock"
"""A link that names the host and the process of the Chromium that runs. It goes before Chromium
has written its files, so the end of the process counts."""
BOOKMARKS = f"{BOX_HOME}/.config/chromium/Default/Bookmarks"
_ROOTS = {"bar": "bookmark_bar", "other": "other"}


@step("chromium_bookmarks")
async def chromium_bookmarks(machine: Machine, given: Mapping[str, Any]) -> None:
    """Raises KeyError for a place that does not begin with bar or other."""
    numbers = iter(range(1, 10_000))
    roots = {
        key: _folder(next(numbers), title)
        for key, title in (
            ("bookmark_bar", "Bookmarks bar"), ("other", "Other bookmarks"),
            ("synced", "Mobile bookmarks"),
        )
    }  # fmt: skip
    for where, title, url in given["bookmarks"]:
        top, *names = where.split("/")
        node = roots[_ROOTS[top]]
        for name in names:
            node = _child(node, name, numbers)
        if url is None:
            _child(node, title, numbers)
        else:
            made = {"id": str(next(numbers)), "name": title, "type": "url", "url": url}
            node["children"].append(made)
    content = json.dumps({"roots": roots, "version": 1}, indent=1)
    place(machine, BOOKMARKS).write_text(content)


def _child(node: dict[str, Any], name: str, numbers: Any) -> dict[str, Any]:
    for child in node["children"]:
        if child["type"] == "folder" and child["name"] == name:
            known: dict[str, Any] = child
            return known
    made = _folder(next(numbers), name)
    node["children"].append(made)
    return made


def _folder(number: int, name: str) -> dict[str, Any]:
    return {"id": str(number), "name": name, "type": "folder", "children": []}


@step("chromium_closed")
async def chromium_closed(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Nothing when it does not run. Raises TimeoutError."""
    await close_chromium(desktop, CLOSE_S)


async def close_chromium(desktop: Desktop, limit_s: float) -> None:
    """Closes its windows until its process has ended. Raises TimeoutError."""
    process = running_process(desktop)
    async with asyncio.timeout(limit_s):
        while process is not None and process.exists():
            for window in await desktop.windows():
                if window.application.lower() == "chromium":
                    await desktop.x.run(partial(windows.close, desktop.x11, window.id))
            await asyncio.sleep(LOOK_AGAIN_S)


def running_process(machine: Machine) -> Path | None:
    """Of the Chromium that runs, its folder in /proc, which goes when it has ended."""
    lock = located(machine, LOCK)
    if not os.path.lexists(lock):
        return None
    return Path("/proc", lock.readlink().name.rpartition("-")[2])
