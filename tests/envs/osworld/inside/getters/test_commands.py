"""Getters of what commands print."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.desktop.processes import Processes
from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS

PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Any]:
    home, programs_folder = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    programs_folder.mkdir()
    environment = {"PATH": f"{programs_folder}:/usr/bin:/bin", "HOME": str(home)}
    yield SimpleNamespace(home=home, processes=Processes(environment, home), bin=programs_folder)
    # This process is to be no desktop's host for the tests that follow.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


def got(machine: Any, ending: Ending, kind: str, **given: Any) -> Any:
    return asyncio.run(GETTERS[kind](machine, ending, given))


def test_what_commands_print(machine: Any, ending: Ending) -> None:
    assert got(machine, ending, "vm_command_line", command="echo $((1 + 2))") == "3\n"
    assert got(machine, ending, "vm_command_line", command=["echo", "$HOME"]) == "$HOME\n"
    line = ["echo $0 $1", "a", "b"]
    assert got(machine, ending, "vm_command_line", command=line, shell=True) == "a b\n"
    assert got(machine, ending, "vm_command_error", command="echo oh >&2") == "oh\n"
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "vm_command_line", command=["no-such-program"])
