"""Setup steps that bring files to the machine.

    {"type": "download", "parameters": {"files": [{"url": "https://...", "path": "..."}]}}
    {"type": "upload_file", "parameters": {"files": [{"local_path": "a/b.txt", "path": "..."}]}}
    {"type": "change_wallpaper", "parameters": {"path": "/home/user/Pictures/a.png"}}

Guarantees: a download is what the client lent for it, or comes from the mirror that DESKHAND_ASSETS
names, where that has it, else from the network, bounded; a file takes its place whole or not at
all. An uploaded file is one that was lent, or of the mirror's folder, by its path there.
"""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

import aiohttp

from envs.desktop.wallpaper import set_wallpaper
from envs.io.fetch import Bounds
from envs.osworld.format.assets import SETTING, asset_url
from envs.osworld.format.getters import Parameters
from envs.osworld.format.mirror import copy_atomically, fetch_asset, mirror_folder
from envs.osworld.inside.machine import Machine, local_path
from envs.osworld.inside.steps.files import prepare_path

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

BOUNDS = Bounds(200 * 1024 * 1024, quiet_s=10.0, whole_s=120.0, tries=2)


async def download(machine: Machine, parameters: Parameters) -> None:
    """Downloads files. Raises FetchError for one that is neither in the mirror nor on the
    network."""
    async with aiohttp.ClientSession() as http:
        for file in parameters["files"]:
            url, target = asset_url(file["url"], file["path"]), prepare_path(machine, file["path"])
            if url in machine.lent:
                await asyncio.to_thread(_copy_lent, machine.lent[url], target)
            else:
                await fetch_asset(http, url, target, BOUNDS)


async def upload_file(machine: Machine, parameters: Parameters) -> None:
    """Copies files of the mirror's folder. Raises FileNotFoundError."""
    folder = mirror_folder()
    for file in parameters["files"]:
        lent = machine.lent.get(file["local_path"])
        if lent is not None:
            await asyncio.to_thread(_copy_lent, lent, prepare_path(machine, file["path"]))
            continue
        if folder is None:
            raise FileNotFoundError(f"{SETTING} is not set: there is no folder to take files from")
        local = PurePosixPath(file["local_path"])
        if local.is_absolute() or ".." in local.parts or not (folder / local).is_file():
            raise FileNotFoundError(f"{local} is not a file of the mirror")
        await asyncio.to_thread(
            copy_atomically, folder / local, prepare_path(machine, file["path"])
        )


def _copy_lent(lent: BinaryIO, place: Path) -> None:
    # By its descriptor: a task may take a file twice, and reading must not move what is shared.
    copy_atomically(Path(f"/proc/self/fd/{lent.fileno()}"), place)


async def change_wallpaper(desktop: Desktop, parameters: Parameters) -> None:
    """Sets the wallpaper in the settings; nothing here paints it. Raises FileNotFoundError or
    WallpaperError."""
    picture = local_path(desktop, parameters["path"])
    if not picture.is_file():
        raise FileNotFoundError(parameters["path"])
    await set_wallpaper(desktop.processes, picture)
