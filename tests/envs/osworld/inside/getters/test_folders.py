"""A folder as text: every kind of entry, hidden ones left out."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import folders


def read(home: Path) -> dict[str, str | None]:
    machine: Any = SimpleNamespace(home=home)
    return asyncio.run(folders.vm_folder(machine, Ending(None, False), {"path": "/home/user/d"}))


def test_every_kind_of_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_TEXT", 10)
    folder = tmp_path / "d"
    (folder / "empty").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a").write_text("x")
    (folder / "text").write_text("short")
    (folder / "long").write_text("longer than ten")
    (folder / "bytes").write_bytes(b"\xff")
    (folder / "link").symlink_to("text")
    os.mkfifo(folder / "pipe")
    assert read(tmp_path) == {
        "bytes": f"sha256:{hashlib.sha256(bytes([255])).hexdigest()}",
        "empty": None,
        "link": "link:text",
        "long": f"sha256:{hashlib.sha256(b'longer than ten').hexdigest()}",
        "pipe": "special",
        "text": "short",
    }


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path)
    (tmp_path / "d").symlink_to(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path)
