"""Setup steps that bring files to the machine.

    {"type": "download", "parameters": {"files": [{"url": "https://...", "path": "..."}]}}
    {"type": "upload_file", "parameters": {"files": [{"local_path": "a/b.txt", "path": "..."}]}}
    {"type": "change_wallpaper", "parameters": {"path": "/home/user/Pictures/a.png"}}

Guarantees: a download comes from the mirror that DESKHAND_ASSETS names, where that has it, else
from the network, bounded; a file takes its place whole or not at all. An uploaded file is one of
the mirror's folder, by its path there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import aiohttp

from envs.desktop.wallpaper import set_wallpaper
from envs.fetch import Bounds
from envs.verify.assets import SETTING, asset_url
from envs.verify.machine import Machine, located
from envs.verify.mirror import bring, copy, mirror
from envs.verify.setup import step
from envs.verify.steps.files import place

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

BOUNDS = Bounds(200 * 1024 * 1024, quiet_s=10.0, whole_s=120.0, tries=2)


@step("download")
async def download(machine: Machine, given: Mapping[str, Any]) -> None:
    """Raises FetchError for a file that is neither in the mirror nor on the network."""
    async with aiohttp.ClientSession() as http:
        for file in given["files"]:
            url, target = asset_url(file["url"], file["path"]), place(machine, file["path"])
            await bring(http, url, target, BOUNDS)


@step("upload_file")
async def upload_file(machine: Machine, given: Mapping[str, Any]) -> None:
    """Raises FileNotFoundError."""
    folder = mirror()
    if folder is None:
        raise FileNotFoundError(f"{SETTING} is not set: there is no folder to take files from")
    for file in given["files"]:
        local = PurePosixPath(file["local_path"])
        if local.is_absolute() or ".." in local.parts or not (folder / local).is_file():
            raise FileNotFoundError(f"{local} is no file of the mirror")
        await asyncio.to_thread(copy, folder / local, place(machine, file["path"]))


@step("change_wallpaper")
async def change_wallpaper(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """As a setting: nothing here paints it. Raises FileNotFoundError or WallpaperError."""
    picture = located(desktop, given["path"])
    if not picture.is_file():
        raise FileNotFoundError(given["path"])
    await set_wallpaper(desktop.processes, picture)
