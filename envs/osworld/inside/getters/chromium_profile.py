"""Getters of Chromium's profile: bookmarks, settings by name, extensions.

Guarantees: the profile's files are read as they are. Chromium writes them late, so the setup step
`chromium_closed` should run before (as the evaluator's `postconfig`). A profile that is broken
counts as missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import BOX_HOME, Machine, local_path, require_regular_file

USER_DATA = f"{BOX_HOME}/.config/chromium"
PROFILE = f"{USER_DATA}/Default"
ROOTS = {"bookmark_bar": "bar", "other": "other", "synced": "mobile"}


async def chromium_bookmarks(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[list[str | None]]:
    """[place, title, url] of each bookmark and folder, in their order. A folder has no url (null);
    a place is the titles above the entry, as in "bar/Work"."""
    roots = _read_json(machine, f"{PROFILE}/Bookmarks")["roots"]
    return [entry for key, name in ROOTS.items() for entry in _entries_below(roots[key], name)]


async def bookmarks(machine: Machine, ending: Ending, parameters: Parameters) -> dict[str, Any]:
    """The roots of Chromium's file of bookmarks."""
    roots: dict[str, Any] = _read_json(machine, f"{PROFILE}/Bookmarks").get("roots", {})
    return roots


async def chromium_preferences(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """The values of the preferences `names` such as "session.startup_urls"; null when not set."""
    preferences = read_preferences(machine)
    return {name: get_dotted(preferences, name) for name in parameters["names"]}


async def enabled_experiments(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[str]:
    """Experiments that are not at their default, each as "name" or "name@choice"."""
    return get_dotted(_read_local_state(machine), "browser.enabled_labs_experiments") or []


async def chrome_language(machine: Machine, ending: Ending, parameters: Parameters) -> str:
    """The language of menus and of Chromium's own pages, such as "en-US"."""
    return get_dotted(_read_local_state(machine), "intl.app_locale") or "en-US"


async def shortcuts_on_desktop(
    machine: Machine, ending: Ending, parameters: Parameters
) -> dict[str, str]:
    """Content of each desktop file in the folder Desktop, by its name."""
    folder = local_path(machine, f"{BOX_HOME}/Desktop")
    files = sorted(folder.glob("*.desktop")) if folder.is_dir() else []
    return {file.name: require_regular_file(file).read_text("utf-8", "replace") for file in files}


async def find_unpacked_extension_path(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[str]:
    """Folders of all extensions, by their paths in the box; the path of an extension of the store
    is relative to the profile's folder Extensions."""
    paths = [extension["path"] for extension in _extensions(machine) if "path" in extension]
    return [_path_in_box(machine, path) for path in paths]


async def find_installed_extension_name(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[str]:
    """Names of all extensions, in their default language."""
    names = [_extension_name(machine, extension) for extension in _extensions(machine)]
    return [name for name in names if name is not None]


def get_dotted(settings: Any, name: str) -> Any:
    """The value of a dotted name such as "browser.theme"; None when it is not set."""
    value = settings
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def read_preferences(machine: Machine) -> dict[str, Any]:
    """The profile's preferences. Raises FileNotFoundError."""
    return _read_json(machine, f"{PROFILE}/Preferences")


def _read_json(machine: Machine, path: str) -> dict[str, Any]:
    file = require_regular_file(local_path(machine, path))
    try:
        content = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileNotFoundError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise FileNotFoundError(f"{path} holds no object")
    return content


def _read_local_state(machine: Machine) -> dict[str, Any]:
    return _read_json(machine, f"{USER_DATA}/Local State")


def _entries_below(node: Mapping[str, Any], place: str) -> Iterator[list[str | None]]:
    for child in node.get("children", ()):
        yield [place, child["name"], child.get("url")]
        if child["type"] == "folder":
            yield from _entries_below(child, f"{place}/{child['name']}")


def _extensions(machine: Machine) -> list[dict[str, Any]]:
    """The settings of each extension. One that was removed leaves an entry without a path."""
    extensions: dict[str, dict[str, Any]] = {}
    for name in ("Preferences", "Secure Preferences"):
        if local_path(machine, f"{PROFILE}/{name}").is_file():
            content = _read_json(machine, f"{PROFILE}/{name}")
            for key, settings in (get_dotted(content, "extensions.settings") or {}).items():
                extensions[key] = {**extensions.get(key, {}), **settings}
    if not extensions:
        read_preferences(machine)  # raises when there is no profile
    return list(extensions.values())


def _path_in_box(machine: Machine, path: str) -> str:
    if Path(path).is_relative_to(machine.home):
        return f"{BOX_HOME}/{Path(path).relative_to(machine.home)}"
    return path


def _extension_name(machine: Machine, extension: Mapping[str, Any]) -> str | None:
    """From the profile, else from the extension's own manifest."""
    name: str | None = get_dotted(extension, "manifest.name")
    if name or "path" not in extension:
        return name
    folder = local_path(machine, f"{PROFILE}/Extensions") / extension["path"]
    try:
        file = require_regular_file(folder / "manifest.json")
        manifest = json.loads(file.read_text("utf-8-sig"))
        title = manifest["name"]
        if title.startswith("__MSG_"):
            return _read_message(folder, manifest["default_locale"], title[6:-2])
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        # The user may put anything into the folder of an extension.
        return None
    return str(title)


def _read_message(folder: Path, locale: str, key: str) -> str:
    file = folder / "_locales" / locale / "messages.json"
    messages = json.loads(require_regular_file(file).read_text("utf-8-sig"))
    return next(
        str(message["message"]) for name, message in messages.items() if name.lower() == key.lower()
    )
