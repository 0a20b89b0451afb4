"""Fixtures of setup steps: a machine, a mirror, a server with faults."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from envs.desktop.processes import Processes
from tests.envs.osworld.inside.steps.headless import Headless
from tests.faulty_server import FaultyServer, faulty_server

PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Headless]:
    home = tmp_path / "home"
    home.mkdir()
    yield Headless(home, Processes({"PATH": "/usr/bin:/bin", "HOME": str(home)}, home))
    # This process is to be no desktop's host for the tests that follow.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("DESKHAND_ASSETS", str(folder))
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as served:
        yield served
