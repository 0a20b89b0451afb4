"""Mirrors of assets: lists what a task set needs, checks a folder, and fetches what is missing.

Guarantees: what a task names is fetched from the internet, never from loopback, private or link-
local addresses, unless the operator says so; a file with the hash of the manifest is kept; an
incomplete or different file is fetched again; the manifest names only files that were seen
complete, and is written atomically after each, so that an interrupted mirror continues where it
was.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from agent_server.tasksets.asset_sources import SourceError, open_source, prefixed_url
from envs.contract.task import Task
from envs.io.atomic_write import write_whole
from envs.io.fetch import Bounds, FetchError, fetch
from envs.io.public_network import public_connector
from envs.osworld.format.assets import MANIFEST, Mirrored, asset_path, manifest_json, read_manifest
from envs.osworld.format.task_parts import assets

AT_ONCE = 4
BOUNDS = Bounds(200 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Finding:
    """An asset in a mirror. `state`: "ok", "missing", "damaged" (differs from the manifest) or
    "unlisted" (present, but not in the manifest)."""

    url: str
    state: str
    file: str
    sha256: str = ""
    bytes: int = 0


@dataclass(slots=True)
class Mirroring:
    """What a call of `mirror` did. `failed`: error by URL."""

    kept: int = 0
    fetched: int = 0
    bytes: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def asset_urls(tasks: Iterable[Task]) -> list[str]:
    """URLs of all assets, each once, in the order of the tasks."""
    return list(dict.fromkeys(asset.text for task in tasks for asset in assets(task)))


def examine(folder: Path, urls: Sequence[str]) -> list[Finding]:
    """Check every file. Raises ValueError for a broken manifest."""
    manifest = read_manifest(folder)
    return [_examine(folder, url, manifest.get(url)) for url in urls]


def _examine(folder: Path, url: str, entry: Mirrored | None) -> Finding:
    path = asset_path(url, folder)
    if not path.is_file():
        return Finding(url, "missing", path.name)
    actual = hash_file(path)
    if entry is None:
        return Finding(url, "unlisted", path.name, actual.sha256, actual.bytes)
    state = "ok" if actual == entry else "damaged"
    return Finding(url, state, path.name, actual.sha256, actual.bytes)


def hash_file(path: Path) -> Mirrored:
    """The manifest's entry for a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Mirrored(file=path.name, sha256=digest, bytes=path.stat().st_size)


async def mirror(
    urls: Sequence[str],
    folder: Path,
    bounds: Bounds = BOUNDS,
    on_bytes: Callable[[str, int], None] = lambda url, count: None,
    on_done: Callable[[str], None] = lambda url: None,
    source: str | None = None,
    private: bool = False,
) -> Mirroring:
    """Fetch the missing files, with `private` from networks of ours too. `on_bytes` gets the bytes
    of a file so far, `on_done` each URL that is finished, fetched or failed. `source`: folder,
    archive or address to take them from, instead of their own addresses. A file that was put into
    the folder by hand is kept. Raises ValueError for a broken manifest, SourceError, and OSError of
    the disk."""
    files = None if source is None else await asyncio.to_thread(open_source, source)
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(".*.partial"):
        leftover.unlink()
    manifest, result = read_manifest(folder), Mirroring()
    gate = asyncio.Semaphore(AT_ONCE)

    async def fetch_one(http: aiohttp.ClientSession, url: str) -> None:
        async with gate:
            path = asset_path(url, folder)
            finding = await asyncio.to_thread(_examine, folder, url, manifest.get(url))
            if finding.state in ("ok", "unlisted"):
                result.kept += 1
                entry = Mirrored(file=path.name, sha256=finding.sha256, bytes=finding.bytes)
            else:
                try:
                    if files is not None:
                        await asyncio.to_thread(files.copy, url, path, bounds.max_bytes)
                    else:
                        address = url if source is None else prefixed_url(source, url)
                        await fetch(http, address, path, bounds, lambda count: on_bytes(url, count))
                except (FetchError, SourceError) as error:
                    result.failed[url] = str(error)
                    on_done(url)
                    return
                entry = await asyncio.to_thread(hash_file, path)
                result.fetched += 1
                result.bytes += entry.bytes
            if manifest.get(url) != entry:
                manifest[url] = entry
                write_manifest(folder, manifest)
            on_done(url)

    # Where the operator names the source, the tasks choose no address.
    connector = None if private or source is not None else public_connector()
    async with aiohttp.ClientSession(connector=connector) as http:
        try:
            async with asyncio.TaskGroup() as group:
                for url in urls:
                    group.create_task(fetch_one(http, url))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several
    return result


def write_manifest(folder: Path, entries: dict[str, Mirrored]) -> None:
    """Write the manifest atomically."""
    write_whole(folder / MANIFEST, [manifest_json(entries)])
