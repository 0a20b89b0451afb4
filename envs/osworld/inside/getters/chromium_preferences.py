"""Getters of single settings in Chromium's profile, as OSWorld names them.

Guarantees: a setting that the profile does not hold has Chromium's own default. All raise
FileNotFoundError when there is no profile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Getter, Parameters
from envs.osworld.inside.getters.chromium_profile import get_dotted, read_preferences
from envs.osworld.inside.machine import Machine

FONTS = {"default_font_size": 16, "default_fixed_font_size": 13, "minimum_font_size": 0}
NEW_TAB = 5
"""`session.restore_on_startup` of a browser that starts with the empty page."""
UNTIL_CLOSED = 4
"""`profile.default_content_setting_values.cookies` of a browser that deletes data on closing."""
SCHEMES = {0: "system", 1: "light", 2: "dark"}
Preferences = dict[str, Any]


def starts_empty(choice: int | None) -> str:
    """Whether a value of `session.restore_on_startup` means the empty page: "true" or "false"."""
    return _flag(choice in (None, NEW_TAB))


def color_scheme(preferences: Preferences) -> str:
    """The appearance of Chromium: "light", "dark" or "system"."""
    theme = get_dotted(preferences, "browser.theme") or {}
    return SCHEMES.get(theme.get("color_scheme2", theme.get("color_scheme", 0)), "system")


def _flag(value: Any) -> str:
    return "true" if value else "false"


def _search_engine(preferences: Preferences) -> str:
    name = "default_search_provider_data.template_url_data.short_name"
    return get_dotted(preferences, name) or "Google"


def _profile_name(preferences: Preferences) -> Any:
    return get_dotted(preferences, "profile.name")


def _font_sizes(preferences: Preferences) -> dict[str, Any]:
    """Pixels, and the other settings of pages."""
    return {**FONTS, **(get_dotted(preferences, "webkit.webprefs") or {})}


def _do_not_track(preferences: Preferences) -> str:
    return _flag(preferences.get("enable_do_not_track"))


def _safe_browsing(preferences: Preferences) -> str:
    standard = get_dotted(preferences, "safebrowsing.enabled")
    return _flag(get_dotted(preferences, "safebrowsing.enhanced") or standard is None or standard)


def _enhanced_safe_browsing(preferences: Preferences) -> str:
    return _flag(get_dotted(preferences, "safebrowsing.enhanced"))


def _deletes_data_on_closing(preferences: Preferences) -> str:
    cookies = get_dotted(preferences, "profile.default_content_setting_values.cookies")
    return _flag(cookies == UNTIL_CLOSED)


def _make_getter(read: Callable[[Preferences], Any]) -> Getter:
    async def get(machine: Machine, ending: Ending, parameters: Parameters) -> Any:
        return read(read_preferences(machine))

    return get


GETTERS: dict[str, Getter] = {
    "default_search_engine": _make_getter(_search_engine),
    "profile_name": _make_getter(_profile_name),
    "chrome_font_size": _make_getter(_font_sizes),
    "chrome_color_scheme": _make_getter(color_scheme),
    "enable_do_not_track": _make_getter(_do_not_track),
    "enable_safe_browsing": _make_getter(_safe_browsing),
    "enable_enhanced_safety_browsing": _make_getter(_enhanced_safe_browsing),
    "data_delete_automacally": _make_getter(_deletes_data_on_closing),
}
