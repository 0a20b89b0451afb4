"""Chromium's file of bookmarks, and which process runs."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.inside.machine import local_path
from envs.osworld.inside.steps.chromium import (
    BOOKMARKS,
    LOCK,
    chromium_bookmarks,
    running_process,
)


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path)


async def test_folders_are_made_once(machine: Any) -> None:
    entries = [["bar/Work", "Wiki", "https://w.example/"], ["bar/Work", "Empty", None]]
    await chromium_bookmarks(machine, {"bookmarks": entries})
    roots = json.loads(local_path(machine, BOOKMARKS).read_text())["roots"]
    (work,) = roots["bookmark_bar"]["children"]
    assert [(child["type"], child["name"]) for child in work["children"]] == [
        ("url", "Wiki"), ("folder", "Empty"),
    ]  # fmt: skip
    assert roots["other"]["children"] == roots["synced"]["children"] == []


async def test_a_place_begins_with_a_root(machine: Any) -> None:
    with pytest.raises(KeyError):
        await chromium_bookmarks(machine, {"bookmarks": [["top", "A", "https://a.example/"]]})


def test_the_lock_names_the_process(machine: Any) -> None:
    assert running_process(machine) is None
    lock = local_path(machine, LOCK)
    lock.parent.mkdir(parents=True)
    lock.symlink_to("some-host-4321")
    assert running_process(machine) == Path("/proc/4321")
