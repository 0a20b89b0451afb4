"""The getter of assets: names, folders, files that are nowhere."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import openpyxl
import pytest

from envs.io.fetch import FetchError
from envs.osworld.format.assets import asset_path
from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.metric_modules import load_metric

URL = "https://nowhere.invalid/a/{}"


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    home = tmp_path / "home"
    (home / "Desktop").mkdir(parents=True)
    return SimpleNamespace(home=home, outputs={}, baseline={})


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("DESKHAND_ASSETS", str(folder))
    for name in ("one.txt", "two.txt", "three.txt"):
        asset_path(URL.format(name), folder).write_text(name)
    return folder


def got(machine: Any, ending: Ending, kind: str, **options: Any) -> Any:
    return asyncio.run((GETTERS | TASK_GETTERS)[kind](machine, ending, options))


def urls(*names: str) -> list[str]:
    return [URL.format(name) for name in names]


def test_an_asset_has_the_name_that_the_task_gives_it(
    machine: Any, ending: Ending, mirror: Path
) -> None:
    value = got(machine, ending, "cloud_file", path=URL.format("one.txt"), dest="gold.txt")
    assert (value.name, value.read_text()) == ("gold.txt", "one.txt")
    assert value.is_relative_to(ending.scratch)
    again = got(machine, ending, "cloud_file", path=URL.format("two.txt"), dest="gold.txt")
    assert (value.read_text(), again.read_text()) == ("one.txt", "two.txt")


def test_several_assets_lie_in_one_folder(machine: Any, ending: Ending, mirror: Path) -> None:
    options = {"path": urls("one.txt", "two.txt", "three.txt"), "dest": ["1", "2", "3"]}
    value = got(machine, ending, "cloud_file", **options, multi=True)
    assert [file.read_text() for file in value] == ["one.txt", "two.txt", "three.txt"]
    assert len({file.parent for file in value}) == 1
    chosen = got(machine, ending, "cloud_file", **options, multi="true", gives=[2])
    assert chosen.read_text() == "three.txt"
    assert (chosen.parent / "1").read_text() == "one.txt"


def test_an_asset_that_is_nowhere(machine: Any, ending: Ending, mirror: Path) -> None:
    with pytest.raises(FetchError, match=r"four\.txt is not in the mirror"):
        got(machine, ending, "cloud_file", path=URL.format("four.txt"), dest="x")
    with pytest.raises(ValueError, match="2 addresses, but 1 names"):
        got(machine, ending, "cloud_file", path=urls("one.txt", "two.txt"), dest=["a"], multi=True)


def test_names_lead_nowhere_else(machine: Any, ending: Ending, mirror: Path) -> None:
    value = got(machine, ending, "cloud_file", path=URL.format("one.txt"), dest="../../x.txt")
    assert value.is_relative_to(ending.scratch)
    assert ending.make_path("..").is_relative_to(ending.scratch)
    with pytest.raises(ValueError, match="scratch"):
        Ending(None, False).make_folder()


def workbook(machine: Any, *rows: list[Any]) -> dict[str, Any]:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(machine.home / "a.xlsx")
    return {"path": "/home/user/a.xlsx", "file_type": "xlsx", "file_content": "last_row"}


def test_a_workbook_and_its_printed_sheet_are_compared_as_the_task_gives_them(
    machine: Any, ending: Ending, mirror: Path
) -> None:
    workbook(machine, ["Id"], ["0012345"])
    (machine.home / "a-Sheet1.csv").write_text("Id\n0012345\n")
    asset_path(URL.format("gold.xlsx"), mirror).write_bytes((machine.home / "a.xlsx").read_bytes())
    asset_path(URL.format("gold.csv"), mirror).write_text("Id\n0012345\n")
    names = ["/home/user/a.xlsx", "/home/user/a-Sheet1.csv"]
    result = got(machine, ending, "vm_file", path=names, dest=["a.xlsx", "x"], multi=True)
    # openpyxl calls the first sheet "Sheet".
    dest = ["gold.xlsx", "gold-Sheet.csv"]
    expected = got(
        machine, ending, "cloud_file", path=urls("gold.xlsx", "gold.csv"), dest=dest, multi=True
    )
    rules = [{"type": "sheet_print", "sheet_idx0": 0, "sheet_idx1": "EI0"}]
    assert load_metric("compare_table")(result, expected, rules=rules) == 0
    (machine.home / "a-Sheet1.csv").rename(machine.home / "a-Sheet.csv")
    assert load_metric("compare_table")(result, expected, rules=rules) == 1


def test_a_task_fetches_nothing_from_networks_of_ours(machine: Any, ending: Ending) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/latest/meta-data"
        with pytest.raises(FetchError, match="not an address of the internet"):
            got(machine, ending, "cloud_file", path=url, dest="x")
        with pytest.raises(TimeoutError):
            server.accept()
