"""Getters of what Chromium keeps: bookmarks and settings in its profile, its open tabs.

Guarantees: the profile's files are read as they are; let the setup step `chromium_closed` run
before (as the evaluator's `postconfig`), for Chromium writes them late. Tabs are those of the
Chromium that runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp

from envs.desktop.wrappers import CHROMIUM_PORT
from envs.verify.machine import BOX_HOME, Machine, located, regular
from envs.verify.registry import Ending, getter

PROFILE = f"{BOX_HOME}/.config/chromium/Default"
ROOTS = {"bookmark_bar": "bar", "other": "other", "synced": "mobile"}
TABS_S = 5.0


@getter("chromium_bookmarks")
async def chromium_bookmarks(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[list[str | None]]:
    """[place, title, url] of each bookmark and folder, in their order; a folder's url is null, its
    place the titles above it, as in "bar/Work"."""
    roots = _json(machine, "Bookmarks")["roots"]
    return [entry for key, name in ROOTS.items() for entry in _below(roots[key], name)]


@getter("chromium_preferences")
async def chromium_preferences(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of the preferences `names` such as "session.startup_urls"; null when not set."""
    stored = _json(machine, "Preferences")
    return {name: _at(stored, name) for name in given["names"]}


@getter("chromium_tabs")
async def chromium_tabs(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> list[str]:
    """Addresses of the open tabs, sorted. Raises FileNotFoundError when Chromium does not run."""
    limit = aiohttp.ClientTimeout(TABS_S)
    try:
        async with (
            aiohttp.ClientSession(timeout=limit) as http,
            http.get(f"http://127.0.0.1:{CHROMIUM_PORT}/json/list") as reply,
        ):
            targets = await reply.json(content_type=None)
    except aiohttp.ClientConnectionError as error:
        raise FileNotFoundError("Chromium does not run") from error
    return sorted(target["url"] for target in targets if target["type"] == "page")


def _json(machine: Machine, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_file(machine, name).read_text())
    return found


def _file(machine: Machine, name: str) -> Path:
    return regular(located(machine, f"{PROFILE}/{name}"))


def _at(stored: Any, name: str) -> Any:
    for part in name.split("."):
        stored = stored.get(part) if isinstance(stored, dict) else None
    return stored


def _below(node: Mapping[str, Any], place: str) -> Iterator[list[str | None]]:
    for child in node.get("children", ()):
        yield [place, child["name"], child.get("url")]
        if child["type"] == "folder":
            yield from _below(child, f"{place}/{child['name']}")
