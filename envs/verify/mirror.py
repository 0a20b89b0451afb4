"""Bringing assets from the mirror that DESKHAND_ASSETS names.

Guarantees: what the mirror has comes from there, anything else from the network within bounds; a
file takes its place whole or not at all.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
from pathlib import Path

import aiohttp

from envs.fetch import Bounds, FetchError, fetch
from envs.verify.assets import SETTING, asset_path

OPEN_FOLDERS = Path("/proc/self/fd")


def mirror() -> Path | None:
    """The folder that DESKHAND_ASSETS names."""
    given = os.environ.get(SETTING)
    return Path(given) if given else None


def keep_to_itself() -> None:
    """A mirror that is an open folder of this process alone (see `envs.providers.sandbox`) is not
    handed on to the programs that it starts."""
    folder = mirror()
    if folder is not None and folder.parent == OPEN_FOLDERS:
        os.set_inheritable(int(folder.name), False)


async def bring(http: aiohttp.ClientSession, url: str, place: Path, bounds: Bounds) -> None:
    """The asset of this address as `place`, whose folder exists. Raises FetchError for what is
    neither in the mirror nor on the network."""
    folder = mirror()
    kept = asset_path(url, folder) if folder else None
    if kept is not None and kept.is_file():
        await asyncio.to_thread(copy, kept, place)
        return
    try:
        await fetch(http, url, place, bounds)
    except FetchError as error:
        where = f"{kept.name} is not in the mirror" if kept else f"{SETTING} is not set"
        raise FetchError(f"{error}; {where}") from error


def copy(source: Path, place: Path) -> None:
    partial = place.with_name(f".{place.name[:200]}.{secrets.token_hex(4)}.partial")
    try:
        shutil.copyfile(source, partial)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)
