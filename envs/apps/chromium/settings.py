"""Tools for Chromium's settings, by names a person would use.

Guarantees: a setting is set through the interface that Chromium's own settings page uses, and read
back from Chromium before the tool says that it is set.
"""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.chromium.connection import Chromium, ProtocolError, chromium, until
from envs.apps.chromium.tabs import open_page
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


PREFERENCES = "chrome://password-manager"
"""Offers the settings interface and, unlike chrome://settings, can be hidden."""
SETTINGS = "chrome://settings"
SET_S = 5.0

_NAMES: dict[str, str] = {
    "home_page": "homepage",
    "home_page_is_new_tab": "homepage_is_newtabpage",
    "show_home_button": "browser.show_home_button",
    "bookmarks_bar": "bookmark_bar.visibility_state",
    "startup_pages": "session.startup_urls",
    "do_not_track": "enable_do_not_track",
    "font_size": "webkit.webprefs.default_font_size",
    "fixed_font_size": "webkit.webprefs.default_fixed_font_size",
    "minimum_font_size": "webkit.webprefs.minimum_font_size",
    "standard_font": "webkit.webprefs.fonts.standard.Zyyy",
    "languages": "intl.accept_languages",
    "spell_check": "browser.enable_spellchecking",
    "translate": "translate.enabled",
    "save_passwords": "credentials_enable_service",
    "auto_sign_in": "credentials_enable_autosignin",
    "password_leak_detection": "generated.password_leak_detection",
    "save_addresses": "autofill.profile_enabled",
    "save_payment_methods": "autofill.credit_card_enabled",
    "search_suggestions": "search.suggest_enabled",
    "third_party_cookies": "generated.third_party_cookie_blocking_setting",
    "https_only": "generated.https_first_mode_enabled",
    "preload_pages": "net.network_prediction_options",
    "download_folder": "download.default_directory",
    "ask_where_to_save": "download.prompt_for_download",
    "open_pdfs_externally": "plugins.always_open_pdf_externally",
    "run_in_background": "background_mode.enabled",
    "safe_browsing": "generated.safe_browsing",
    "startup": "session.restore_on_startup",
}
_CHOICES: dict[str, dict[str, int]] = {
    "safe_browsing": {"enhanced": 0, "standard": 1, "off": 2},
    "bookmarks_bar": {"always": 0, "new_tab": 1, "never": 2},
    "startup": {"continue": 1, "pages": 4, "new_tab": 5},
    "third_party_cookies": {"block_in_incognito": 0, "block": 1},
    "https_only": {"off": 0, "incognito": 1, "balanced": 2, "strict": 3},
    "preload_pages": {"standard": 1, "off": 2, "extended": 3},
}
_PAGES = {
    "profile": "chrome://settings/manageProfile",
    "passwords": "chrome://password-manager/settings",
    "privacy": "chrome://settings/privacy",
    "appearance": "chrome://settings/appearance",
    "search": "chrome://settings/search",
    "clear": "chrome://settings/clearBrowserData",
}
_DATA = {
    "history": "browser.clear_data.browsing_history",
    "downloads": "browser.clear_data.download_history",
    "cookies": "browser.clear_data.cookies",
    "cache": "browser.clear_data.cache",
    "passwords": "browser.clear_data.passwords",
    "form_data": "browser.clear_data.form_data",
    "site_settings": "browser.clear_data.site_settings",
}
_PERIODS = {"hour": 0, "day": 1, "week": 2, "month": 3, "all": 4}
_MODES = {"system": 0, "light": 1, "dark": 2}
Data = Literal[
    "history", "downloads", "cookies", "cache", "passwords", "form_data", "site_settings"
]

_GET = "async (key) => (await chrome.settingsPrivate.getPref(key)).value"
_SET = "async (key, value) => await chrome.settingsPrivate.setPref(key, value, '')"
_ZOOM = "async () => Math.round(100 * await chrome.settingsPrivate.getDefaultZoom())"
_SET_ZOOM = "async (percent) => await chrome.settingsPrivate.setDefaultZoom(percent / 100)"
_ASK = "const {sendWithPromise} = await import('chrome://resources/js/cr.js');"
_PROFILE = f"async () => {{ {_ASK} return (await sendWithPromise('getProfileInfo')).name }}"
_SET_PROFILE = "(name) => chrome.send('setProfileName', [name])"
_ENGINES = (
    f"async () => {{ {_ASK} const all = await sendWithPromise('getSearchEnginesList');"
    "return [...all.defaults, ...all.actives, ...all.others].map((e) => ({id: e.id, name: e.name,"
    "keyword: e.keyword, default: e.default, can_be_default: e.default || e.canBeDefault})) }"
)
_SET_ENGINE = "(id) => chrome.send('setDefaultSearchEngine', [id, 1, null])"
_CLEAR = (
    f"async (kinds, period) => {{ {_ASK} await sendWithPromise('initializeClearBrowsingData');"
    "await sendWithPromise('clearBrowsingData', kinds, period) }"
)
_MODE_PROXY = (
    "const {customizeColorSchemeModeBrowserProxyFactory: factory} ="
    " await import('chrome://settings/settings.js');"
    "const {handler, callbackRouter} = factory.getInstance();"
)
_MODE = (
    f"async () => {{ {_MODE_PROXY} return await new Promise((done) => {{"
    "callbackRouter.setColorSchemeMode.addListener(done);"
    "handler.initializeColorSchemeMode() }) }"
)
_SET_MODE = f"async (mode) => {{ {_MODE_PROXY} handler.setColorSchemeMode(mode) }}"


def _key(name: str) -> str:
    if name not in _NAMES:
        names = ", ".join(_NAMES)
        raise ToolError(ActionError.NOT_FOUND, f"no setting {name[:40]!r}; there are: {names}")
    return _NAMES[name]


def _public_value(name: str, value: Any) -> Any:
    """A value as callers see it."""
    for word, number in _CHOICES.get(name, {}).items():
        if number == value:
            return word
    return value


async def preference(browser: Chromium, key: str) -> Any:
    """As it is now, by Chromium's own name. Raises ToolError."""
    return await browser.run(await browser.internal(PREFERENCES), _GET, key)


async def _read(browser: Chromium, name: str) -> Any:
    return _public_value(name, await preference(browser, _key(name)))


@TOOLS.tool("chromium.get_settings", timeout_s=35)
async def get_settings(desktop: Desktop, names: list[str] | None = None) -> dict[str, Any]:
    """Settings by name; all that can be named when none are given. Others have tools of their own:
    chromium.search_engines, chromium.appearance_mode, chromium.profile_name, chromium.zoom."""
    browser = await chromium(desktop)
    return {name: await _read(browser, name) for name in names or _NAMES}


@TOOLS.tool("chromium.set_setting", timeout_s=30)
async def set_setting(
    desktop: Desktop, setting: str, value: bool | int | str | list[str]
) -> dict[str, Any]:
    """Sets one of the settings that chromium.get_settings names. Words: safe_browsing is enhanced,
    standard or off; startup is new_tab, continue or pages (then set startup_pages);
    bookmarks_bar is always, new_tab or never; https_only is
    off, incognito, balanced or strict; preload_pages is off, standard or extended;
    third_party_cookies is block_in_incognito or block."""
    browser = await chromium(desktop)
    key, target_value = _key(setting), value
    if setting in _CHOICES:
        if not isinstance(value, str) or value not in _CHOICES[setting]:
            words = ", ".join(_CHOICES[setting])
            raise ToolError(ActionError.BAD_VALUE, f"{setting} is one of: {words}")
        target_value = _CHOICES[setting][value]
    page = await browser.internal(PREFERENCES)
    before = await browser.run(page, _GET, key)
    if type(before) is not type(target_value):
        kind = type(before).__name__
        raise ToolError(ActionError.BAD_VALUE, f"{setting} wants a {kind}; it is {before!r} now")
    try:
        await browser.run(page, _SET, key, target_value)
    except ProtocolError as error:
        raise ToolError(ActionError.BAD_VALUE, f"{setting}: {error}") from error

    async def is_set() -> bool:
        return bool(await browser.run(page, _GET, key) == target_value)

    if not await until(is_set, SET_S):
        now = _public_value(setting, await browser.run(page, _GET, key))
        raise ToolError(ActionError.BAD_VALUE, f"Chromium keeps {setting} at {now!r}")
    return {setting: value}


@TOOLS.tool("chromium.zoom", timeout_s=30)
async def zoom(desktop: Desktop, percent: int | None = None) -> int:
    """The default zoom of pages in percent; sets it first when one is given."""
    browser = await chromium(desktop)
    page = await browser.internal(PREFERENCES)
    if percent is not None:
        if not 25 <= percent <= 500:
            raise ToolError(ActionError.BAD_VALUE, "the zoom is 25 to 500 percent")
        await browser.run(page, _SET_ZOOM, percent)
    return int(await browser.run(page, _ZOOM))


@TOOLS.tool("chromium.profile_name", timeout_s=30)
async def profile_name(desktop: Desktop, new_name: str | None = None) -> str:
    """The name of the user's profile; sets it first when one is given."""
    browser = await chromium(desktop)
    async with browser.background(_PAGES["profile"]) as page:
        if new_name is not None:
            await browser.run(page, _SET_PROFILE, new_name)
            await until(lambda: _is(browser, page, _PROFILE, new_name), SET_S)
        return str(await browser.run(page, _PROFILE))


@TOOLS.tool("chromium.appearance_mode", timeout_s=30)
async def appearance_mode(
    desktop: Desktop, mode: Literal["system", "light", "dark"] | None = None
) -> str:
    """Whether Chromium looks light, dark or as the system does; sets it first when one is given."""
    browser = await chromium(desktop)
    async with browser.background(_PAGES["appearance"]) as page:
        if mode is not None:
            await browser.run(page, _SET_MODE, _MODES[mode])
            await until(lambda: _is(browser, page, _MODE, _MODES[mode]), SET_S)
        now = await browser.run(page, _MODE)
    return next(word for word, number in _MODES.items() if number == now)


async def _is(browser: Chromium, page: str, function: str, expected: Any) -> bool:
    return bool(await browser.run(page, function) == expected)


@TOOLS.tool("chromium.search_engines", timeout_s=30)
async def search_engines(desktop: Desktop, default: str | None = None) -> list[dict[str, Any]]:
    """Search engines: name, keyword, default; makes one the default first when it is named."""
    browser = await chromium(desktop)
    async with browser.background(f"{SETTINGS}/searchEngines") as page:
        engines: list[dict[str, Any]] = await browser.run(page, _ENGINES)
        if default is not None:
            usable = {e["name"].lower(): e["id"] for e in engines if e["can_be_default"]}
            engine = usable.get(default.lower(), usable.get(f"microsoft {default.lower()}"))
            if engine is None:
                names = ", ".join(usable)
                message = f"no search engine {default[:40]!r}; there are: {names}"
                raise ToolError(ActionError.NOT_FOUND, message)
            await browser.run(page, _SET_ENGINE, engine)

            async def is_chosen() -> bool:
                now = await browser.run(page, _ENGINES)
                return any(e["default"] and e["id"] == engine for e in now)

            if not await until(is_chosen, SET_S):
                raise ToolError(ActionError.TOOL_FAILED, "Chromium keeps its search engine")
            engines = await browser.run(page, _ENGINES)
    return [{key: e[key] for key in ("name", "keyword", "default")} for e in engines]


@TOOLS.tool("chromium.delete_browsing_data", timeout_s=45)
async def delete_browsing_data(
    desktop: Desktop,
    data: list[Data] | None = None,
    period: Literal["hour", "day", "week", "month", "all"] = "all",
) -> str:
    """Deletes browsing data of a period: any of history, downloads, cookies, cache, passwords,
    form_data, site_settings. Without `data`, opens the dialog for it."""
    if not data:
        await open_page(desktop, _PAGES["clear"])
        return "the dialog to delete browsing data is open"
    browser = await chromium(desktop)
    async with browser.background(SETTINGS) as page:
        kinds = [_DATA[name] for name in data]
        await browser.run(page, _CLEAR, kinds, _PERIODS[period], timeout_s=30)
    return f"deleted {', '.join(data)} ({period})"


@TOOLS.tool("chromium.open_profile_settings", timeout_s=35)
async def open_profile_settings(desktop: Desktop) -> dict[str, Any]:
    """Opens the settings of the user's profile."""
    return await open_page(desktop, _PAGES["profile"])


@TOOLS.tool("chromium.open_password_settings", timeout_s=35)
async def open_password_settings(desktop: Desktop) -> dict[str, Any]:
    """Opens the settings of the password manager."""
    return await open_page(desktop, _PAGES["passwords"])


@TOOLS.tool("chromium.open_privacy_settings", timeout_s=35)
async def open_privacy_settings(desktop: Desktop) -> dict[str, Any]:
    """Opens the settings of privacy and security."""
    return await open_page(desktop, _PAGES["privacy"])


@TOOLS.tool("chromium.open_appearance_settings", timeout_s=35)
async def open_appearance_settings(desktop: Desktop) -> dict[str, Any]:
    """Opens the settings of appearance."""
    return await open_page(desktop, _PAGES["appearance"])


@TOOLS.tool("chromium.open_search_engine_settings", timeout_s=35)
async def open_search_engine_settings(desktop: Desktop) -> dict[str, Any]:
    """Opens the settings of the search engine."""
    return await open_page(desktop, _PAGES["search"])
