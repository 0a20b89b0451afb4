"""Getters of files: the machine's own, those of the task's mirror, and what commands printed.

Guarantees: a file of the machine is taken from where it is; one from elsewhere is whole, under the
name the task gives it, and beside the files that came with it.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from envs.desktop.home import content_hashes
from envs.fetch import Bounds
from envs.verify.assets import asset_url
from envs.verify.evidence import MAX_FILE
from envs.verify.getters import scratch
from envs.verify.machine import Machine, located, regular
from envs.verify.mirror import bring
from envs.verify.registry import Ending, getter

BOUNDS = Bounds(MAX_FILE, quiet_s=8.0, whole_s=30.0, tries=2)
CITY_COLUMN = 2


@getter("vm_file")
async def vm_file(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path | list[Path]:
    """A file of the machine; with `multi`, a list of them, or of those whose places `gives` tells.
    OSWorld's `dest` is not needed: files keep their names."""
    return _chosen(
        [located(machine, path) for path in _listed(given, "path")], given, check=regular
    )


@getter("cloud_file", outside=True)
async def cloud_file(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> Path | list[Path]:
    """An asset under its name `dest`; with `multi`, a list of them, or of those whose places
    `gives` tells, all in one folder. Raises FetchError for what is neither in the mirror nor on the
    network, ValueError for an address without a name."""
    urls, names = _listed(given, "path"), _listed(given, "dest")
    if len(urls) != len(names):
        raise ValueError(f"cloud_file: {len(urls)} addresses, but {len(names)} names")
    folder = scratch.folder(ending)
    places = [folder / Path(name).name for name in names]
    async with aiohttp.ClientSession() as http:
        for url, name, place in zip(urls, names, places, strict=True):
            await bring(http, asset_url(url, name), place, BOUNDS)
    return _chosen(places, given)


@getter("cache_file")
async def cache_file(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path:
    """What a setup step kept of a command's output under the name `path`, as a file. Raises
    FileNotFoundError."""
    name = given["path"]
    if name not in machine.outputs:
        raise FileNotFoundError(f"no command's output was kept as {name}")
    place = scratch.place(ending, name)
    place.write_text(machine.outputs[name], encoding="utf-8")
    return place


@getter("content_from_vm_file")
async def content_from_vm_file(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[str]:
    """Texts of the last row of a workbook's first sheet that is not empty, as far as its headings
    go; none for what is no workbook. Raises ValueError for anything but "xlsx" and "last_row"."""
    wanted = given["file_type"], given["file_content"]
    if wanted != ("xlsx", "last_row"):
        raise ValueError(f"content_from_vm_file knows xlsx and last_row, not {wanted}")
    return await asyncio.to_thread(_last_row, regular(located(machine, given["path"])))


@getter("list_directory")
async def list_directory(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """What is in a folder: names as `files` and `folders`, and OSWorld's tree of one level,
    `children` with `name` and `type` ("file" or "directory")."""
    folder = located(machine, given["path"])
    if not folder.is_dir():
        raise FileNotFoundError(given["path"])
    entries = sorted(folder.iterdir())
    files = [entry.name for entry in entries if not entry.is_dir()]
    folders = [entry.name for entry in entries if entry.is_dir()]
    children = [{"type": "directory", "name": name} for name in folders]
    children += [{"type": "file", "name": name} for name in files]
    return {
        "files": files, "folders": folders,
        "type": "directory", "name": folder.name, "children": children,
    }  # fmt: skip


@getter("conference_city_in_order")
async def conference_city_in_order(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[str]:
    """The third column of a CSV file below its headings."""
    text = regular(located(machine, given["csv_path"])).read_text("utf-8-sig", "replace")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return [row[CITY_COLUMN] for row in rows if len(row) > CITY_COLUMN]


@getter("home_changes")
async def home_changes(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Files of the home folder that were added, changed or removed since the task began. Settings
    (names that begin with a dot) and office lock files are left out."""
    before, after = machine.baseline, content_hashes(machine.home)
    return {
        "added": sorted(after.keys() - before.keys()),
        "changed": sorted(p for p in after.keys() & before.keys() if after[p] != before[p]),
        "removed": sorted(before.keys() - after.keys()),
    }


def _listed(given: Mapping[str, Any], name: str) -> list[str]:
    return list(given[name]) if given.get("multi") else [given[name]]


def _chosen(
    paths: Sequence[Path], given: Mapping[str, Any], check: Any = lambda path: path
) -> Path | list[Path]:
    gives = sorted(set(given.get("gives", range(len(paths)))))
    found = [check(paths[index]) for index in gives]
    return found if given.get("multi") and len(found) != 1 else found[0]


def _last_row(path: Path) -> list[str]:
    from envs.verify.osworld.table_cells import text
    from envs.verify.osworld.workbook import Book, cells, value_at

    try:
        sheet = Book(path).values.worksheets[0]
    except MemoryError:
        raise
    except Exception:
        # Of a broken workbook openpyxl raises errors of almost any kind.
        return []
    filled = cells(sheet)
    if not filled:
        return []
    row, width = max(row for row, _ in filled), max(column for _, column in filled)
    return [text(value_at(sheet, row, column)) for column in range(1, width + 1)]
