"""Setup steps that make files: texts, bytes, folders, workbooks."""

from __future__ import annotations

import base64

import openpyxl

from tests.envs.osworld.inside.steps.headless import Headless, run


def test_texts_and_bytes(machine: Headless) -> None:
    run(machine, "text_file", path="/home/user/a/b.txt", text="Zwölf")
    assert (machine.home / "a/b.txt").read_text("utf-8") == "Zwölf"
    content = bytes(range(256))
    run(machine, "text_file", path="~/c", base64=base64.b64encode(content).decode())
    assert (machine.home / "c").read_bytes() == content


def test_a_folder_may_be_there(machine: Headless) -> None:
    for _ in range(2):
        run(machine, "folder", path="/home/user/Documents/2024")
    assert (machine.home / "Documents/2024").is_dir()


def test_equal_workbooks_are_equal_bytes(machine: Headless) -> None:
    sheets = {"Data": [["Name", 3], [True, None, "=1+1"]], "Empty": []}
    for name in ("a.xlsx", "b.xlsx"):
        run(machine, "workbook", path=f"/home/user/{name}", sheets=sheets)
    assert (machine.home / "a.xlsx").read_bytes() == (machine.home / "b.xlsx").read_bytes()
    book = openpyxl.load_workbook(machine.home / "a.xlsx")
    assert book.sheetnames == ["Data", "Empty"]
    assert list(book["Data"].values) == [("Name", 3, None), (True, None, "=1+1")]
