"""Fetches assets from the mirror that DESKHAND_ASSETS names.

Guarantees: an asset comes from the mirror if it has it, else from the network within bounds; a file
appears whole or not at all.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from envs.contract.outcomes import InvalidReason
from envs.contract.task import Task
from envs.io.fetch import Bounds, FetchError, fetch
from envs.io.settings import EnvSettings
from envs.osworld.format.assets import SETTING, asset_path
from envs.osworld.format.task_parts import taken_files

OPEN_FOLDERS = Path("/proc/self/fd")


def mirror_folder() -> Path | None:
    """The folder that DESKHAND_ASSETS names; None if it is not set."""
    return EnvSettings.from_env_or_fault(InvalidReason.HOST_START).assets


def hide_from_children() -> None:
    """Keeps programs that this process starts from inheriting the mirror, when it is an open folder
    descriptor (see `envs.providers.sandbox`)."""
    folder = mirror_folder()
    if folder is not None and folder.parent == OPEN_FOLDERS:
        os.set_inheritable(int(folder.name), False)


def kept_files(task: Task) -> Iterator[tuple[str, Path]]:
    """What the steps of a task take from the mirror, by URL or path in it, as far as it has it."""
    folder = mirror_folder()
    if folder is None:
        return
    for name in dict.fromkeys(taken_files(task)):
        path = asset_path(name, folder) if "://" in name else folder / name
        is_inside = ".." not in path.parts and path.is_relative_to(folder)
        if is_inside and path.is_file():
            yield name, path


async def fetch_asset(http: aiohttp.ClientSession, url: str, place: Path, bounds: Bounds) -> None:
    """Stores the asset of this URL at `place`, whose folder exists. Raises FetchError when it is
    neither in the mirror nor on the network."""
    folder = mirror_folder()
    kept = asset_path(url, folder) if folder else None
    if kept is not None and kept.is_file():
        await asyncio.to_thread(copy_atomically, kept, place)
        return
    try:
        await fetch(http, url, place, bounds)
    except FetchError as error:
        where = f"{kept.name} is not in the mirror" if kept else f"{SETTING} is not set"
        raise FetchError(f"{error}; {where}") from error


def copy_atomically(source: Path, place: Path) -> None:
    """Copies a file: the copy appears whole or not at all."""
    partial = place.with_name(f".{place.name[:200]}.{secrets.token_hex(4)}.partial")
    try:
        shutil.copyfile(source, partial)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)
