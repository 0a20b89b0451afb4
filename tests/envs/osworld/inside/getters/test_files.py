"""Getters of the machine's files and of what commands printed."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import openpyxl
import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.metric_modules import load_metric


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    home = tmp_path / "home"
    (home / "Desktop").mkdir(parents=True)
    return SimpleNamespace(home=home, outputs={}, baseline={})


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


def got(machine: Any, ending: Ending, kind: str, **options: Any) -> Any:
    return asyncio.run((GETTERS | TASK_GETTERS)[kind](machine, ending, options))


def test_a_file_of_the_machine_is_judged_where_it_is(machine: Any, ending: Ending) -> None:
    file = machine.home / "Desktop" / "a.txt"
    file.write_text("a")
    path = "/home/user/Desktop/a.txt"
    assert got(machine, ending, "vm_file", path=path, dest="b.txt") == file
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "vm_file", path="/home/user/Desktop/c.txt", dest="c.txt")


def test_several_files_of_the_machine(machine: Any, ending: Ending) -> None:
    files = [machine.home / name for name in ("a", "b", "c")]
    for file in files[:2]:
        file.write_text("x")
    paths = ["/home/user/a", "/home/user/b", "/home/user/c"]
    several = {"path": paths, "dest": ["a", "b", "c"], "multi": True}
    assert got(machine, ending, "vm_file", **several, gives=[1, 0]) == files[:2]
    assert got(machine, ending, "vm_file", **several, gives=[1]) == files[1]
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "vm_file", **several)


def test_what_a_command_printed(machine: Any, ending: Ending) -> None:
    machine.outputs["ls.out"] = "A Test E-mail.eml\nother\n"
    value = got(machine, ending, "cache_file", path="ls.out")
    assert load_metric("check_list")(value, {"expect": [r"A Test E-mail.*\.eml"]}) == 1
    with pytest.raises(FileNotFoundError, match=r"wmctrl\.out"):
        got(machine, ending, "cache_file", path="wmctrl.out")


def workbook(machine: Any, *rows: list[Any]) -> dict[str, Any]:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(machine.home / "a.xlsx")
    return {"path": "/home/user/a.xlsx", "file_type": "xlsx", "file_content": "last_row"}


def test_the_last_row_of_a_workbook(machine: Any, ending: Ending) -> None:
    options = workbook(
        machine, ["Name", "Citations", "h"], ["A", 1, 2], ["Yann LeCun", 345074, 147.5]
    )
    value = got(machine, ending, "content_from_vm_file", **options)
    assert value == ["Yann LeCun", "345074", "147.5"]
    expected = ["yann lecun", "345074", "147.5"]
    assert load_metric("literal_match")(value, expected, type="list", ignore_case=True) == 1


def test_a_workbook_without_rows_and_no_workbook(machine: Any, ending: Ending) -> None:
    options = workbook(machine)
    assert got(machine, ending, "content_from_vm_file", **options) == []
    (machine.home / "a.xlsx").write_bytes(b"nothing")
    assert got(machine, ending, "content_from_vm_file", **options) == []
    with pytest.raises(ValueError, match="docx"):
        got(machine, ending, "content_from_vm_file", **{**options, "file_type": "docx"})


def test_a_folder_as_names_and_as_osworld_s_tree(machine: Any, ending: Ending) -> None:
    (machine.home / "Desktop" / "b.jpg").write_text("")
    (machine.home / "Desktop" / "a.jpg").write_text("")
    (machine.home / "Desktop" / "sub").mkdir()
    value = got(machine, ending, "list_directory", path="/home/user/Desktop")
    assert (value["files"], value["folders"]) == (["a.jpg", "b.jpg"], ["sub"])
    assert load_metric("check_moved_jpgs")(value, {"expected": ["sub", "b.jpg", "a.jpg"]}) == 1
    assert load_metric("check_moved_jpgs")(value, {"expected": ["b.jpg", "a.jpg"]}) == 0
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "list_directory", path="/home/user/Nowhere")


def test_the_third_column_of_a_csv_file(machine: Any, ending: Ending) -> None:
    rows = [
        ["Conference", "Year", "City"],
        ["ICLR", 2013, "Scottsdale"],
        ["ICML"],
        ["A", 1, "B, C"],
    ]
    with (machine.home / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    value = got(machine, ending, "conference_city_in_order", csv_path="/home/user/a.csv")
    assert value == ["Scottsdale", "B, C"]
