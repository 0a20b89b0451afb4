"""Chromium's profile: what the setup step writes and what the getters read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.verify.getters.chromium_profile import chromium_bookmarks, chromium_preferences
from envs.verify.registry import Ending
from envs.verify.steps.chromium import chromium_bookmarks as write_bookmarks

ENDING = Ending(None, False)
PROFILE = ".config/chromium/Default"


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path, baseline={})


def test_bookmarks_are_read_as_they_were_written(machine: Any) -> None:
    written = [
        ["bar/Work/Old", "Wiki", "https://wiki.example/"],
        ["bar", "Empty", None],
        ["other", "News", "https://news.example/"],
    ]
    asyncio.run(write_bookmarks(machine, {"bookmarks": written}))
    assert asyncio.run(chromium_bookmarks(machine, ENDING, {})) == [
        ["bar", "Work", None],
        ["bar/Work", "Old", None],
        ["bar/Work/Old", "Wiki", "https://wiki.example/"],
        ["bar", "Empty", None],
        ["other", "News", "https://news.example/"],
    ]


def test_a_place_that_does_not_exist(machine: Any) -> None:
    with pytest.raises(KeyError):
        asyncio.run(write_bookmarks(machine, {"bookmarks": [["top", "A", "https://a.example/"]]}))


def test_preferences_by_their_dotted_names(machine: Any) -> None:
    profile = machine.home / PROFILE
    profile.mkdir(parents=True)
    stored = {"browser": {"show_home_button": True}, "homepage": "https://a.example/"}
    (profile / "Preferences").write_text(json.dumps(stored))
    names = ["browser.show_home_button", "browser.other", "homepage", "homepage.further"]
    assert asyncio.run(chromium_preferences(machine, ENDING, {"names": names})) == {
        "browser.show_home_button": True,
        "browser.other": None,
        "homepage": "https://a.example/",
        "homepage.further": None,
    }


def test_a_missing_profile(machine: Any) -> None:
    with pytest.raises(FileNotFoundError):
        asyncio.run(chromium_bookmarks(machine, ENDING, {}))
    with pytest.raises(FileNotFoundError):
        asyncio.run(chromium_preferences(machine, ENDING, {"names": []}))
