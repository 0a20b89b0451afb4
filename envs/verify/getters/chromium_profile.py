"""Getters of what Chromium keeps in its profile: bookmarks, settings, extensions.

Guarantees: the profile's files are read as they are; let the setup step `chromium_closed` run
before (as the evaluator's `postconfig`), for Chromium writes them late. A setting that the profile
does not name has Chromium's own default. A profile that is broken is as one that is not there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from envs.verify.machine import BOX_HOME, Machine, located, regular
from envs.verify.registry import Ending, getter

USER_DATA = f"{BOX_HOME}/.config/chromium"
PROFILE = f"{USER_DATA}/Default"
ROOTS = {"bookmark_bar": "bar", "other": "other", "synced": "mobile"}
FONTS = {"default_font_size": 16, "default_fixed_font_size": 13, "minimum_font_size": 0}
NEW_TAB = 5
"""`session.restore_on_startup` of a browser that starts with the empty page."""
UNTIL_CLOSED = 4
"""`profile.default_content_setting_values.cookies` of a browser that forgets when it is closed."""
SCHEMES = {0: "system", 1: "light", 2: "dark"}


@getter("chromium_bookmarks")
async def chromium_bookmarks(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[list[str | None]]:
    """[place, title, url] of each bookmark and folder, in their order; a folder's url is null, its
    place the titles above it, as in "bar/Work"."""
    roots = _json(machine, f"{PROFILE}/Bookmarks")["roots"]
    return [entry for key, name in ROOTS.items() for entry in _below(roots[key], name)]


@getter("bookmarks")
async def bookmarks(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> dict[str, Any]:
    """The roots of Chromium's file of bookmarks."""
    roots: dict[str, Any] = _json(machine, f"{PROFILE}/Bookmarks").get("roots", {})
    return roots


@getter("chromium_preferences")
async def chromium_preferences(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of the preferences `names` such as "session.startup_urls"; null when not set."""
    stored = _json(machine, f"{PROFILE}/Preferences")
    return {name: at(stored, name) for name in given["names"]}


@getter("enabled_experiments")
async def enabled_experiments(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[str]:
    """Experiments that are not at their default, each as "name" or "name@choice"."""
    return at(_local_state(machine), "browser.enabled_labs_experiments") or []


@getter("chrome_language")
async def chrome_language(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """Of menus and pages of Chromium's own, such as "en-US"."""
    return at(_local_state(machine), "intl.app_locale") or "en-US"


@getter("shortcuts_on_desktop")
async def shortcuts_on_desktop(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, str]:
    """Content of each desktop file in the folder Desktop, by its name."""
    folder = located(machine, f"{BOX_HOME}/Desktop")
    files = sorted(folder.glob("*.desktop")) if folder.is_dir() else []
    return {file.name: regular(file).read_text("utf-8", "replace") for file in files}


@getter("find_unpacked_extension_path")
async def find_unpacked_extension_path(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[str]:
    """Folders of all extensions, as programs of the machine call them; those of the store have a
    path below the profile's folder Extensions."""
    paths = [extension["path"] for extension in _extensions(machine) if "path" in extension]
    return [_called(machine, path) for path in paths]


@getter("find_installed_extension_name")
async def find_installed_extension_name(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[str]:
    """Names of all extensions, in their default language."""
    return [name for one in _extensions(machine) if (name := _name(machine, one)) is not None]


def at(stored: Any, name: str) -> Any:
    """The value of a dotted name; None when it is not set."""
    for part in name.split("."):
        stored = stored.get(part) if isinstance(stored, dict) else None
    return stored


def preferences(machine: Machine) -> dict[str, Any]:
    """Raises FileNotFoundError."""
    return _json(machine, f"{PROFILE}/Preferences")


def _of_preferences(kind: str, told: Callable[[dict[str, Any]], Any], what: str) -> None:
    async def get(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
        return told(preferences(machine))

    get.__doc__ = f"{what} Raises FileNotFoundError."
    getter(kind)(get)


def _word(truth: Any) -> str:
    return "true" if truth else "false"


def _engine(stored: dict[str, Any]) -> str:
    return at(stored, "default_search_provider_data.template_url_data.short_name") or "Google"


def _forgets(stored: dict[str, Any]) -> str:
    return _word(at(stored, "profile.default_content_setting_values.cookies") == UNTIL_CLOSED)


def starts_empty(choice: int | None) -> str:
    """What a choice for `session.restore_on_startup` comes to: "true" or "false"."""
    return _word(choice in (None, NEW_TAB))


def _safe(stored: dict[str, Any]) -> str:
    standard = at(stored, "safebrowsing.enabled")
    return _word(at(stored, "safebrowsing.enhanced") or standard is None or standard)


def _fonts(stored: dict[str, Any]) -> dict[str, Any]:
    return {**FONTS, **(at(stored, "webkit.webprefs") or {})}


def scheme(stored: dict[str, Any]) -> str:
    """How Chromium looks: "light", "dark" or "system"."""
    theme = at(stored, "browser.theme") or {}
    return SCHEMES.get(theme.get("color_scheme2", theme.get("color_scheme", 0)), "system")


for _kind, _told, _what in (
    ("default_search_engine", _engine, "Name of the search engine."),
    ("profile_name", lambda stored: at(stored, "profile.name"), "What the user calls the profile."),
    ("chrome_font_size", _fonts, "Sizes of fonts, pixels, and the other settings of pages."),
    ("chrome_color_scheme", scheme, '"light", "dark" or "system".'),
    ("enable_do_not_track", lambda stored: _word(stored.get("enable_do_not_track")),
     '"true" when pages are asked not to track the user.'),
    ("enable_safe_browsing", _safe, '"true" when the user is warned of dangerous pages.'),
    ("enable_enhanced_safety_browsing",
     lambda stored: _word(at(stored, "safebrowsing.enhanced")),
     '"true" when that protection is the enhanced one.'),
    ("data_delete_automacally", _forgets,
     '"true" when data of sites are deleted as the browser is closed.'),
):  # fmt: skip
    _of_preferences(_kind, _told, _what)


def _json(machine: Machine, path: str) -> dict[str, Any]:
    file = regular(located(machine, path))
    try:
        found = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileNotFoundError(f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise FileNotFoundError(f"{path} holds no object")
    return found


def _local_state(machine: Machine) -> dict[str, Any]:
    return _json(machine, f"{USER_DATA}/Local State")


def _below(node: Mapping[str, Any], place: str) -> Iterator[list[str | None]]:
    for child in node.get("children", ()):
        yield [place, child["name"], child.get("url")]
        if child["type"] == "folder":
            yield from _below(child, f"{place}/{child['name']}")


def _extensions(machine: Machine) -> list[dict[str, Any]]:
    """What is known of each; one that was removed leaves an entry without a path."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("Preferences", "Secure Preferences"):
        if located(machine, f"{PROFILE}/{name}").is_file():
            settings = at(_json(machine, f"{PROFILE}/{name}"), "extensions.settings") or {}
            for key, one in settings.items():
                found[key] = {**found.get(key, {}), **one}
    if not found:
        preferences(machine)
    return list(found.values())


def _called(machine: Machine, path: str) -> str:
    here = Path(path)
    if here.is_relative_to(machine.home):
        return f"{BOX_HOME}/{here.relative_to(machine.home)}"
    return path


def _name(machine: Machine, extension: Mapping[str, Any]) -> str | None:
    """As the profile tells it, else as the extension's own manifest does."""
    known: str | None = at(extension, "manifest.name")
    if known or "path" not in extension:
        return known
    folder = located(machine, f"{PROFILE}/Extensions") / extension["path"]
    try:
        manifest = json.loads(regular(folder / "manifest.json").read_text("utf-8-sig"))
        name = manifest["name"]
        if name.startswith("__MSG_"):
            return _message(folder, manifest["default_locale"], name[6:-2])
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        # An extension is whatever the user has put there.
        return None
    return str(name)


def _message(folder: Path, locale: str, key: str) -> str:
    file = folder / "_locales" / locale / "messages.json"
    messages = json.loads(regular(file).read_text("utf-8-sig"))
    return next(str(one["message"]) for k, one in messages.items() if k.lower() == key.lower())
