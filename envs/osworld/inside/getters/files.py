"""Getters of the machine's files, and of what commands printed. A file is not copied here."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

from envs.desktop.home import content_hashes
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters, listed_parameter, select_files
from envs.osworld.format.sheet_cells import cell_text, filled_cells, value_at
from envs.osworld.inside.machine import Machine, local_path, require_regular_file

CITY_COLUMN = 2


async def vm_file(machine: Machine, ending: Ending, parameters: Parameters) -> Path | list[Path]:
    """A file of the machine; with `multi` a list of them, or of those whose indices `gives` lists.
    OSWorld's `dest` is not needed: files keep their names."""
    paths = [local_path(machine, path) for path in listed_parameter(parameters, "path")]
    return select_files(paths, parameters, check=require_regular_file)


async def cache_file(machine: Machine, ending: Ending, parameters: Parameters) -> Path:
    """A command's output that a setup step stored under the name `path`, as a file. Raises
    FileNotFoundError."""
    name = parameters["path"]
    if name not in machine.outputs:
        raise FileNotFoundError(f"no command's output was kept as {name}")
    file = ending.make_path(name)
    file.write_text(machine.outputs[name], encoding="utf-8")
    return file


async def content_from_vm_file(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[str]:
    """Texts of the last filled row of a workbook's first sheet, as wide as the sheet; none for a
    file that is no workbook. Raises ValueError for anything but "xlsx" and "last_row"."""
    content = parameters["file_type"], parameters["file_content"]
    if content != ("xlsx", "last_row"):
        raise ValueError(f"content_from_vm_file knows xlsx and last_row, not {content}")
    return await asyncio.to_thread(
        _last_row, require_regular_file(local_path(machine, parameters["path"]))
    )


async def list_directory(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """The entries of a folder: names as `files` and `folders`, and OSWorld's tree of one level,
    `children` with `name` and `type` ("file" or "directory")."""
    folder = local_path(machine, parameters["path"])
    if not folder.is_dir():
        raise FileNotFoundError(parameters["path"])
    entries = sorted(folder.iterdir())
    files = [entry.name for entry in entries if not entry.is_dir()]
    folders = [entry.name for entry in entries if entry.is_dir()]
    children = [{"type": "directory", "name": name} for name in folders]
    children += [{"type": "file", "name": name} for name in files]
    return {
        "files": files,
        "folders": folders,
        "type": "directory",
        "name": folder.name,
        "children": children,
    }


async def conference_city_in_order(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[str]:
    """The third column of a CSV file below its headings."""
    text = require_regular_file(local_path(machine, parameters["csv_path"])).read_text(
        "utf-8-sig", "replace"
    )
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return [row[CITY_COLUMN] for row in rows if len(row) > CITY_COLUMN]


async def home_changes(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, list[str]]:
    """Files of the home folder that were added, changed or removed since the task began. Settings
    (names that begin with a dot) and office lock files are left out."""
    before, after = machine.baseline, content_hashes(machine.home)
    return {
        "added": sorted(after.keys() - before.keys()),
        "changed": sorted(p for p in after.keys() & before.keys() if after[p] != before[p]),
        "removed": sorted(before.keys() - after.keys()),
    }


def _last_row(path: Path) -> list[str]:
    from openpyxl import load_workbook

    try:
        sheet = load_workbook(path, data_only=True).worksheets[0]
    except MemoryError:
        raise
    except Exception:
        # openpyxl raises almost any exception for a broken workbook.
        return []
    filled = filled_cells(sheet)
    if not filled:
        return []
    row, width = max(row for row, _ in filled), max(column for _, column in filled)
    return [cell_text(value_at(sheet, row, column)) for column in range(1, width + 1)]
