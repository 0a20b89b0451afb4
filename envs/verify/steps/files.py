"""Setup steps that make files from what the task says. Equal steps make equal bytes.

    {"type": "text_file", "parameters": {"path": "/home/user/Documents/a.txt", "text": "..."}}
    {"type": "folder", "parameters": {"path": "/home/user/Documents/2024"}}
    {"type": "workbook", "parameters": {"path": ".../b.xlsx", "sheets": {"Data": [["Name", 3]]}}}

A cell is a string, number, boolean, null, or "=formula".
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.verify.machine import Machine, located
from envs.verify.makers.timeless import timeless
from envs.verify.setup import step

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
