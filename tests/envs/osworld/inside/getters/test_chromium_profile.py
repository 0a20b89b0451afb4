"""Chromium's profile: what the setup step and Chromium write, and what the getters read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS
from envs.osworld.inside.getters.chromium_profile import chromium_bookmarks, chromium_preferences
from envs.osworld.inside.steps.chromium import chromium_bookmarks as write_bookmarks
from envs.osworld.outside.metric_modules import load_metric

ENDING = Ending(None, False)
PROFILE = ".config/chromium/Default"


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path, baseline={})


def test_bookmarks_are_read_as_they_were_written(machine: Any) -> None:
    write_file = [
        ["bar/Work/Old", "Wiki", "https://wiki.example/"],
        ["bar", "Empty", None],
        ["other", "News", "https://news.example/"],
    ]
    asyncio.run(write_bookmarks(machine, {"bookmarks": write_file}))
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


def write_file(machine: Any, name: str, stored: Any) -> None:
    file = machine.home / ".config/chromium" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(stored if isinstance(stored, str) else json.dumps(stored))


def got(machine: Any, kind: str, preferences: Any = None) -> Any:
    if preferences is not None:
        write_file(machine, "Default/Preferences", preferences)
    return asyncio.run(GETTERS[kind](machine, ENDING, {}))


def test_bookmarks_as_the_metric_wants_them(machine: Any) -> None:
    made = [["bar", "Favorites", None], ["bar", "Wiki", "https://wiki.example/"]]
    asyncio.run(write_bookmarks(machine, {"bookmarks": made}))
    rule = {"type": "bookmark_bar_folders_names", "names": ["Favorites"]}
    assert load_metric("is_expected_bookmarks")(got(machine, "bookmarks"), rule) == 1


def test_experiments_and_language_of_all_profiles(machine: Any) -> None:
    write_file(machine, "Local State", {})
    assert got(machine, "enabled_experiments") == []
    assert got(machine, "chrome_language") == "en-US"
    experiments = {"enabled_labs_experiments": ["chrome-refresh-2023@1"]}
    write_file(machine, "Local State", {"browser": experiments, "intl": {"app_locale": "zh-CN"}})
    assert got(machine, "chrome_language") == "zh-CN"
    rule = {"type": "names", "names": ["chrome-refresh-2023"]}
    assert load_metric("check_enabled_experiments")(got(machine, "enabled_experiments"), rule) == 1


def test_a_broken_profile_is_as_a_missing_one(machine: Any) -> None:
    for broken in ("{", "[]"):
        with pytest.raises(FileNotFoundError):
            got(machine, "profile_name", broken)


def test_extensions_by_name_and_folder(machine: Any) -> None:
    unpacked = machine.home / "Desktop" / "helloExtension"
    unpacked.mkdir(parents=True)
    (unpacked / "manifest.json").write_text(json.dumps({"name": "Hello", "version": "1"}))
    stored = "abc/1.0_0"
    write_file(machine, f"Default/Extensions/{stored}/manifest.json",
            {"name": "__MSG_appName__", "default_locale": "en"})  # fmt: skip
    write_file(machine, f"Default/Extensions/{stored}/_locales/en/messages.json",
            {"appname": {"message": "Google Translate"}})  # fmt: skip
    settings = {
        "a": {"path": str(unpacked)},
        "b": {"path": "/usr/share/pdf", "manifest": {"name": "PDF Viewer"}},
        "c": {"path": stored},
        "removed": {"state": 0},
        "broken": {"path": "nowhere/1"},
    }
    write_file(machine, "Default/Preferences", {"extensions": {"settings": settings}})
    value = got(machine, "find_installed_extension_name")
    assert value == ["Hello", "PDF Viewer", "Google Translate"]
    paths = got(machine, "find_unpacked_extension_path")
    assert load_metric("is_in_list")(paths, {"expected": "/home/user/Desktop/helloExtension"}) == 1
    assert stored in paths


def test_shortcuts_on_the_desktop(machine: Any) -> None:
    assert got(machine, "shortcuts_on_desktop") == {}
    folder = machine.home / "Desktop"
    folder.mkdir()
    (folder / "game.desktop").write_text("[Desktop Entry]\nName=Play Puzzle Game 2048\n")
    (folder / "notes.txt").write_text("Name=Other")
    value = got(machine, "shortcuts_on_desktop")
    rule = {"type": "name", "name": "Play Puzzle Game 2048"}
    assert load_metric("is_shortcut_on_desktop")(value, rule) == 1
    assert list(value) == ["game.desktop"]
