"""Chromium's settings on a real Chromium; they are read from its profile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("home_page", "http://home.example/"),
        ("startup", "pages"),
        ("startup_pages", ["http://one.example/", "http://two.example/"]),
        ("do_not_track", True),
        ("safe_browsing", "enhanced"),
        ("font_size", 24),
        ("languages", "de,en-US"),
        ("save_passwords", True),
    ],
)
async def test_a_setting_is_kept_by_chromium(user: DesktopUser, name: str, value: Any) -> None:
    await user.tool("chromium.set_setting", setting=name, value=value)
    assert (await user.tool("chromium.get_settings", names=[name]))[name] == value


async def test_settings_are_written_to_the_profile(user: DesktopUser) -> None:
    await user.tool("chromium.set_setting", setting="font_size", value=30)
    assert await user.tool("chromium.zoom", percent=150) == 150
    assert await user.tool("chromium.profile_name", new_name="Ann's") == "Ann's"
    assert await user.tool("chromium.appearance_mode", mode="dark") == "dark"
    engines = await user.tool("chromium.search_engines", default="Bing")
    assert [e["name"] for e in engines if e["default"]] == ["Microsoft Bing"]
    lock = await user.tool("shell.run", command="readlink ~/.config/chromium/SingletonLock")
    process = lock["output"].strip().rpartition("-")[2]
    await user.tool("chromium.close_tab")
    # The lock goes before the files are written, the process after.
    waits = f"while [ -d /proc/{process} ]; do sleep 0.1; done"
    assert (await user.tool("shell.run", timeout_s=30, command=waits))["exit_code"] == 0
    profile = user.home / ".config" / "chromium" / "Default" / "Preferences"
    saved = json.loads(profile.read_text())
    assert saved["webkit"]["webprefs"]["default_font_size"] == 30
    assert saved["profile"]["name"] == "Ann's"
    assert saved["browser"]["theme"]["color_scheme2"] == 2
    assert "Bing" in json.dumps(saved["default_search_provider_data"])


async def test_settings_refuse_what_chromium_does_not_have(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="there are: home_page"):
        await user.tool("chromium.set_setting", setting="colour", value=1)
    with pytest.raises(ToolFailed, match="enhanced, standard, off"):
        await user.tool("chromium.set_setting", setting="safe_browsing", value="full")
    with pytest.raises(ToolFailed, match="wants a int"):
        await user.tool("chromium.set_setting", setting="font_size", value="big")
