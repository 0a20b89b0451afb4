"""Setup steps that make files from what the task says. Equal steps make equal bytes.

    {"type": "text_file", "parameters": {"path": "/home/user/Documents/a.txt", "text": "..."}}
    {"type": "folder", "parameters": {"path": "/home/user/Documents/2024"}}
    {"type": "workbook", "parameters": {"path": ".../b.xlsx", "sheets": {"Data": [["Name", 3]]}}}

A cell is a string, number, boolean, null, or "=formula".
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.verify.machine import Machine, located
from envs.verify.setup import step

_EPOCH = (1980, 1, 1, 0, 0, 0)
MAX_UPLOAD = 100 * 1024 * 1024


@step("text_file")
async def text_file(machine: Machine, given: Mapping[str, Any]) -> None:
    """A file with this `text`, or these `base64` bytes."""
    content = given["text"].encode() if "text" in given else base64.b64decode(given["base64"])
    place(machine, given["path"]).write_bytes(content)


@step("folder")
async def folder(machine: Machine, given: Mapping[str, Any]) -> None:
    located(machine, given["path"]).mkdir(parents=True, exist_ok=True)


@step("workbook")
async def workbook(machine: Machine, given: Mapping[str, Any]) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, rows in given["sheets"].items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    place(machine, given["path"]).write_bytes(timeless(out.getvalue()))


def place(machine: Machine, path: str) -> Path:
    """Where the machine's `path` is here; its folder exists afterwards."""
    here = located(machine, path)
    here.parent.mkdir(parents=True, exist_ok=True)
    return here


def timeless(archive: bytes) -> bytes:
    """The same zip archive without the times at which its members were made, and without the dates
    that office formats keep in docProps/core.xml."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = _without_dates(content)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, content)
    return out.getvalue()


def _without_dates(core: bytes) -> bytes:

    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", b"2024-01-01T00:00:00Z", core)
