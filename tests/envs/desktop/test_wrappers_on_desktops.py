"""Programs under their own names on a desktop: a conversion while LibreOffice saves."""

from __future__ import annotations

import openpyxl
import pytest

from envs.contract.actions import Key
from envs.contract.task import Task
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop
ROWS, COLUMNS = 3000, 20
"""A workbook that takes LibreOffice a good part of a second to save."""
BOOK = "/home/user/Documents/many rows.xlsx"
NOTES = ("note", "a note")
OPTIONS = "csv:Text - txt - csv (StarCalc):44,34,UTF-8,,,,false,true,true,false,false,-1"
CONVERT = f"libreoffice --convert-to '{OPTIONS}' --outdir ~/Documents '{BOOK}'"
CONVERT_NOTES = "cd ~/Documents && libreoffice --headless --convert-to pdf note.txt 'a note.txt'"
OPEN_BOOK = Task(
    id="t",
    instruction="x",
    env="desktop",
    config=[
        {"type": "workbook", "parameters": {"path": BOOK, "sheets": {"Sheet1": [
            [f"row {row}, column {column}" for column in range(COLUMNS)] for row in range(ROWS)
        ]}}},
        *({"type": "text_file", "parameters": {"path": f"/home/user/Documents/{name}.txt",
                                               "text": name}} for name in NOTES),
        {"type": "open", "parameters": {"path": BOOK}},
    ],
)  # fmt: skip


async def test_a_conversion_asked_for_during_a_save_is_made_of_what_was_saved(
    user: DesktopUser,
) -> None:
    await user.reset(OPEN_BOOK)
    await user.tool("calc.set_cell", cell="A1", value="changed")
    await user.act(Key(keys=("ctrl", "s")))
    converted = await user.tool("shell.run", command=CONVERT, timeout_s=40)
    assert converted["exit_code"] == 0, converted
    folder = user.home / "Documents"
    lines = (folder / "many rows-Sheet1.csv").read_text().splitlines()
    assert lines[0].startswith('changed,"row 0, column 1"')
    assert len(lines) == ROWS
    saved = openpyxl.load_workbook(folder / "many rows.xlsx", read_only=True)
    assert saved["Sheet1"]["A1"].value == "changed"
    await user.tool("shell.run", command=CONVERT_NOTES, timeout_s=40)
    assert all((folder / f"{name}.pdf").exists() for name in NOTES)
