"""Solutions of tasks on Chromium's settings, bookmarks and history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasksets.desktop.actions import click, finish, tool
from tasksets.desktop.template import Json

PASSWORDS = "chrome://password-manager/passwords"
SITE_DATA = "chrome://settings/content/siteData"
APPEARANCE = "chrome://settings/appearance"
LARGEST = 24
"""Font size in pixels that the settings page calls "very large"."""


def _call_tool(name: str, /, **arguments: Any) -> list[Json]:
    return [tool(name, **arguments), finish()]


def _change_setting(name: str, value: bool | int) -> list[Json]:
    return _call_tool("chromium.set_setting", setting=name, value=value)


CHROMIUM: dict[str, Sequence[Json]] = {
    "bb5e4c0d-f964-439c-97b6-bdb9747de3f4": _call_tool("chromium.search_engines", default="Bing"),
    "2ad9387a-65d8-4e33-ad5b-7580065a27ca": _call_tool(
        "chromium.add_bookmark_folder", folder="Favorites"
    ),
    "2ae9ba84-3a0d-4d4c-8338-3a1478dc5fe3": _call_tool("chromium.profile_name", new_name="Thomas"),
    "af630914-714e-4a24-a7bb-f9af687d3b91": _change_setting("font_size", LARGEST),
    "99146c54-4f37-4ab8-9327-5f3291665e1e": [
        tool("chromium.navigate", url=SITE_DATA),
        click("Delete data sites have saved", "radio"),
        finish(),
    ],
    "030eeff7-b492-4218-b312-701ec99ee0cc": _change_setting("do_not_track", True),
    "44ee5668-ecd5-4366-a6ce-c1c9b8d4e938": _call_tool("chromium.delete_history", text="youtube"),
    "12086550-11c0-466b-b367-1d9e75b3910e": _call_tool("chromium.navigate", url=PASSWORDS),
    "93eabf48-6a27-4cb6-b963-7d5fe1e0d3a9": [
        tool("chromium.navigate", url=APPEARANCE),
        tool("chromium.appearance_mode", mode="light"),
        finish(),
    ],
}
