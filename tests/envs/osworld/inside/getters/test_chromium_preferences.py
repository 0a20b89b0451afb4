"""Single settings of Chromium, with Chromium's defaults."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS
from envs.osworld.outside.metric_modules import load_metric

ENDING = Ending(None, False)


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path, baseline={})


def write_file(machine: Any, name: str, stored: Any) -> None:
    file = machine.home / ".config/chromium" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(stored if isinstance(stored, str) else json.dumps(stored))


def got(machine: Any, kind: str, preferences: Any = None) -> Any:
    if preferences is not None:
        write_file(machine, "Default/Preferences", preferences)
    return asyncio.run(GETTERS[kind](machine, ENDING, {}))


BING = {"default_search_provider_data": {"template_url_data": {"short_name": "Microsoft Bing"}}}


@pytest.mark.parametrize(
    ("kind", "stored", "expected"),
    [
        ("default_search_engine", {}, "Google"),
        ("default_search_engine", BING, "Microsoft Bing"),
        ("profile_name", {"profile": {"name": "Thomas"}}, "Thomas"),
        ("profile_name", {}, None),
        ("enable_do_not_track", {"enable_do_not_track": True}, "true"),
        ("enable_do_not_track", {}, "false"),
        ("enable_safe_browsing", {"safebrowsing": {"enabled": False, "enhanced": False}}, "false"),
        ("enable_safe_browsing", {"safebrowsing": {"enabled": True}}, "true"),
        ("enable_safe_browsing", {"safebrowsing": {"enabled": False, "enhanced": True}}, "true"),
        ("enable_safe_browsing", {}, "true"),
        ("enable_enhanced_safety_browsing", {"safebrowsing": {"enabled": True}}, "false"),
        ("enable_enhanced_safety_browsing", {"safebrowsing": {"enhanced": True}}, "true"),
        ("data_delete_automacally", {}, "false"),
        ("data_delete_automacally",
         {"profile": {"default_content_setting_values": {"cookies": 4}}}, "true"),
        ("data_delete_automacally",
         {"profile": {"default_content_setting_values": {"popups": 1}}}, "false"),
        ("chrome_color_scheme", {}, "system"),
        ("chrome_color_scheme", {"browser": {"theme": {"color_scheme2": 2}}}, "dark"),
        ("chrome_color_scheme",
         {"browser": {"theme": {"color_scheme": 2, "color_scheme2": 1}}}, "light"),
    ],
)  # fmt: skip
def test_a_setting(machine: Any, kind: str, stored: Any, expected: Any) -> None:
    assert got(machine, kind, stored) == expected


def test_fonts_that_are_not_set_have_chromium_s_sizes(machine: Any) -> None:
    rule = {"type": "range", "min": 16, "max": 99999}
    default = got(machine, "chrome_font_size", {"webkit": {"webprefs": {"minimum_font_size": 9}}})
    assert (default["default_font_size"], default["minimum_font_size"]) == (16, 9)
    assert load_metric("check_font_size")(default, rule) == 0
    large = got(machine, "chrome_font_size", {"webkit": {"webprefs": {"default_font_size": 20}}})
    assert load_metric("check_font_size")(large, rule) == 1
