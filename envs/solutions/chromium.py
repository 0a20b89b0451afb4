"""Chromium's settings, bookmarks and history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.gyms.desktop.template import Json, click, done, tool

PASSWORDS = "chrome://password-manager/passwords"
SITE_DATA = "chrome://settings/content/siteData"
APPEARANCE = "chrome://settings/appearance"
LARGEST = 24
"""In pixels, as the settings page's "very large"."""


def tools(name: str, /, **arguments: Any) -> list[Json]:
    return [tool(name, **arguments), done()]


def setting(name: str, value: bool | int) -> list[Json]:
    return tools("chromium.set_setting", setting=name, value=value)


CHROMIUM: dict[str, Sequence[Json]] = {
    "bb5e4c0d-f964-439c-97b6-bdb9747de3f4": tools("chromium.search_engines", default="Bing"),
    "2ad9387a-65d8-4e33-ad5b-7580065a27ca": tools(
        "chromium.add_bookmark_folder", folder="Favorites"
    ),
    "2ae9ba84-3a0d-4d4c-8338-3a1478dc5fe3": tools("chromium.profile_name", new_name="Thomas"),
    "af630914-714e-4a24-a7bb-f9af687d3b91": setting("font_size", LARGEST),
    "99146c54-4f37-4ab8-9327-5f3291665e1e": [
        tool("chromium.navigate", url=SITE_DATA),
        click("Delete data sites have saved", "radio"),
        done(),
    ],
    "030eeff7-b492-4218-b312-701ec99ee0cc": setting("do_not_track", True),
    "44ee5668-ecd5-4366-a6ce-c1c9b8d4e938": tools("chromium.delete_history", text="youtube"),
    "12086550-11c0-466b-b367-1d9e75b3910e": tools("chromium.navigate", url=PASSWORDS),
    "93eabf48-6a27-4cb6-b963-7d5fe1e0d3a9": [
        tool("chromium.navigate", url=APPEARANCE),
        tool("chromium.appearance_mode", mode="light"),
        done(),
    ],
}
