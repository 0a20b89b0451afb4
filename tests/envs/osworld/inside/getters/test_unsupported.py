"""A getter that cannot run says why."""

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
from envs.osworld.inside.getters.unsupported import UnsupportedGetter

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


def test_a_drive_is_refused_with_the_reason(machine: Any, ending: Ending) -> None:
    with pytest.raises(UnsupportedGetter, match="googledrive_file: it needs a Google account"):
        got(machine, ending, "googledrive_file", path=["a"], dest="a")
