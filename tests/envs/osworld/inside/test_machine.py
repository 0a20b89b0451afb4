"""Paths of the box, and which files can be judged."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.inside import machine as machine_module
from envs.osworld.inside.machine import local_path, require_regular_file
from envs.state.evidence import TooLarge


@pytest.mark.parametrize(
    ("path", "local"),
    [("/home/user/a/b", "a/b"), ("~/a", "a"), ("~", "."), ("/home/user", "."), ("a", "a"),
     ("/home/username/a", "/home/username/a"), ("/etc/hosts", "/etc/hosts")],
)  # fmt: skip
def test_paths_of_the_box(tmp_path: Path, path: str, local: str) -> None:
    machine: Any = SimpleNamespace(home=tmp_path)
    assert local_path(machine, path) == tmp_path / local


def test_only_a_regular_file_can_be_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_text("four")
    assert require_regular_file(file) == file
    (tmp_path / "link").symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", ".", "none"):
        with pytest.raises(FileNotFoundError):
            require_regular_file(tmp_path / name)
    monkeypatch.setattr(machine_module, "MAX_FILE", 3)
    with pytest.raises(TooLarge):
        require_regular_file(file)
