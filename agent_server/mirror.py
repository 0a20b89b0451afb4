"""Mirrors of assets: what a task set needs, what a folder has of it, and fetching the rest.

Guarantees: a file that is there with the hash of the manifest is kept; one that is not whole or not
as the manifest says is fetched again; the manifest names only files that were seen whole, and is
written after each, atomically, so that a mirror that was stopped goes on where it was.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from envs.fetch import Bounds, FetchError, fetch
from envs.tasks import Task
from envs.verify.assets import (
    MANIFEST,
    Mirrored,
    asset_path,
    manifest_json,
    read_manifest,
)
from envs.verify.parts import assets
from envs.whole_file import write_whole

AT_ONCE = 4
BOUNDS = Bounds(200 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Finding:
    """An asset as it is in a mirror. `state`: "ok", "missing", "damaged" (not as the manifest says)
    or "unlisted" (there, but the manifest does not know it)."""

    url: str
    state: str
    file: str
    sha256: str = ""
    bytes: int = 0


@dataclass(slots=True)
class Mirroring:
    """`failed`: why, by address."""

    kept: int = 0
    fetched: int = 0
    bytes: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def wanted(tasks: Iterable[Task]) -> list[str]:
    """Addresses of all assets, each once, in the order of the tasks."""
    return list(dict.fromkeys(asset.text for task in tasks for asset in assets(task)))


def examine(folder: Path, urls: Sequence[str]) -> list[Finding]:
    """Reads every file. Raises ValueError for a manifest that is broken."""
    manifest = read_manifest(folder)
    return [_examined(folder, url, manifest.get(url)) for url in urls]


def _examined(folder: Path, url: str, listed: Mirrored | None) -> Finding:
    path = asset_path(url, folder)
    if not path.is_file():
        return Finding(url, "missing", path.name)
    found = hashed(path)
    if listed is None:
        return Finding(url, "unlisted", path.name, found.sha256, found.bytes)
    state = "ok" if found == listed else "damaged"
    return Finding(url, state, path.name, found.sha256, found.bytes)


def hashed(path: Path) -> Mirrored:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Mirrored(file=path.name, sha256=digest, bytes=path.stat().st_size)


async def mirror(
    urls: Sequence[str],
    folder: Path,
    bounds: Bounds = BOUNDS,
    told: Callable[[str, int], None] = lambda url, count: None,
    done: Callable[[str], None] = lambda url: None,
) -> Mirroring:
    """Fetches what is not there. `told` hears how many bytes of a file are there, `done` which
    address is over, well or not. A file that was put there by hand is taken as it is. Raises
    ValueError for a manifest that is broken, and OSError of the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(".*.partial"):
        left.unlink()
    manifest, result = read_manifest(folder), Mirroring()
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(http: aiohttp.ClientSession, url: str) -> None:
        async with gate:
            path = asset_path(url, folder)
            found = await asyncio.to_thread(_examined, folder, url, manifest.get(url))
            if found.state in ("ok", "unlisted"):
                result.kept += 1
                entry = Mirrored(file=path.name, sha256=found.sha256, bytes=found.bytes)
            else:
                try:
                    got = await fetch(http, url, path, bounds, lambda count: told(url, count))
                except FetchError as error:
                    result.failed[url] = str(error)
                    done(url)
                    return
                result.fetched += 1
                result.bytes += got.bytes
                entry = Mirrored(file=path.name, sha256=got.sha256, bytes=got.bytes)
            if manifest.get(url) != entry:
                manifest[url] = entry
                write_manifest(folder, manifest)
            done(url)

    async with aiohttp.ClientSession() as http:
        try:
            async with asyncio.TaskGroup() as group:
                for url in urls:
                    group.create_task(one(http, url))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several
    return result


def write_manifest(folder: Path, entries: dict[str, Mirrored]) -> None:
    write_whole(folder / MANIFEST, [manifest_json(entries)])
