"""Getters of Chromium's open tabs and their addresses.

Guarantees: tabs are looked at and left as they are; Chromium is not started for it. The address is
that of the page, not what the address bar says, so nothing of it is missing and `goto_prefix`
(which OSWorld puts before that) is not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import aiohttp

from envs.actions import ActionError
from envs.desktop.wrappers import CHROMIUM_PORT
from envs.verify.machine import Machine
from envs.verify.registry import Ending, getter

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop
    from envs.tools.chromium_cdp import Chromium

TABS_S = 5.0
HALF_OFF = "50_PERCENT_ off & more"
LESS_OFF = ("30_PERCENT_ off & more", "20_PERCENT_ off & more")
_CONTENT = "() => document.documentElement.outerHTML"


@getter("chromium_tabs")
async def chromium_tabs(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> list[str]:
    """Addresses of the open tabs, sorted. Raises FileNotFoundError when Chromium does not run."""
    return sorted(tab["url"] for tab in await _open_tabs())


@getter("open_tabs_info")
async def open_tabs_info(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[dict[str, str]]:
    """Title and url of each open tab, the one used last first. Raises FileNotFoundError when
    Chromium does not run."""
    return [{"title": tab["title"], "url": tab["url"]} for tab in await _open_tabs()]


@getter("active_url_from_accessTree")
async def active_url(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> str:
    """Address of the tab in front. Raises FileNotFoundError when there is none."""
    _, page = await active_tab(desktop)
    return str(page["url"])


@getter("active_tab_info")
async def active_tab_info(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, str]:
    """Title, url and content (HTML as it is now) of the tab in front. Raises FileNotFoundError when
    there is none."""
    browser, page = await active_tab(desktop)
    content = await in_tab(browser, page["id"], _CONTENT)
    return {"title": page["title"], "url": page["url"], "content": content}


@getter("active_tab_url_parse")
async def active_tab_url_parse(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters `parse_keys` of the address in front, empty when it has none; `replace` gives
    them other names, `split_list` makes lists of them at commas."""
    return parameters(await active_url(desktop, ending, given), given)


@getter("url_dashPart")
async def url_dash_part(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> Any:
    """The part at `partIndex` of the address in front, between slashes, as `returnType` says:
    "string", or "json" for an object with it as `key`; without its query with `needDeleteId`."""
    return dash_part(await active_url(desktop, ending, given), given)


@getter("url_path_parse")
@getter("macys_product_url_parse")
async def macys_product_url_parse(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """What the address in front, of the shop Macy's, filters by; see `filters`."""
    return filters(await active_url(desktop, ending, given), given["parse_keys"])


async def active_tab(desktop: Desktop) -> tuple[Chromium, dict[str, Any]]:
    """The browser, and id, title and url of the tab in front. Raises FileNotFoundError."""
    from envs.tools.chromium_cdp import running
    from envs.tools.chromium_tabs import front
    from envs.tools.registry import ToolError

    browser = await running(desktop)
    if browser is None:
        raise FileNotFoundError("Chromium does not run")
    try:
        return browser, await front(browser)
    except ToolError as error:
        if error.error is ActionError.NOT_FOUND:
            raise FileNotFoundError("no tab is open") from error
        # A page whose dialog is open does not say whether it is in front; it was used last.
        return browser, (await browser.pages())[0]


async def in_tab(browser: Chromium, tab: str, function: str, *values: Any) -> Any:
    """What a fixed function gives in the user's tab. Raises FileNotFoundError for a page that does
    not answer, as one whose dialog was left open."""
    from envs.tools.registry import ToolError

    try:
        return await browser.run(tab, function, *values)
    except ToolError as error:
        raise FileNotFoundError(f"the page in front does not answer: {error}") from error


def parameters(url: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """See `active_tab_url_parse`; of a parameter with several values the first."""
    query = parse_qs(urlsplit(url).query)
    names = {key: given.get("replace", {}).get(key, key) for key in given["parse_keys"]}
    found = {name: query.get(key, [""])[0] for key, name in names.items()}
    if given.get("split_list"):
        return {name: value.split(",") for name, value in found.items()}
    return found


def dash_part(url: str, given: Mapping[str, Any]) -> Any:
    """See `url_dash_part`. Raises FileNotFoundError for an address of fewer parts, ValueError for
    another `returnType`."""
    kind = given["returnType"]
    if kind not in ("string", "json"):
        raise ValueError(f"returnType is {kind!r}, not 'string' or 'json'")
    try:
        part = url.split("/")[int(given["partIndex"])]
    except IndexError as error:
        raise FileNotFoundError(f"{url} has no part {given['partIndex']}") from error
    if given.get("needDeleteId"):
        part = part.partition("?")[0]
    return part if kind == "string" else {given["key"]: part}


def filters(url: str, keys: list[str]) -> dict[str, Any]:
    """Of a path such as /shop/mens-clothing/shirts/Men_regular_size_t,Sleeve_length/L,short-sleeve:
    `mens_clothing`, `shirts` and `short_sleeve` are true or None; of `keys`, sizes and discounts as
    the path says, None when it does not. A discount is HALF_OFF when it is that and no less."""
    path = unquote(urlsplit(url).path)
    named = _named(path)
    shirts = "shirts" in path or named.get("Product_department") in ("Shirts", "Shirt")
    short = "short-sleeve" in path or named.get("Sleeve_length") == "Short Sleeve"
    found: dict[str, Any] = {
        "mens_clothing": "mens-clothing" in path or None,
        "shirts": shirts or None,
        "short_sleeve": short or None,
    }
    wanted = {"Men_regular_size_t", "Price_discount_range", *named} - found.keys()
    for key in (key for key in keys if key in wanted):
        found[key] = named.get(key)
    if "Price_discount_range" in found:
        offers = [part.strip() for part in (found["Price_discount_range"] or "").split("|")]
        half = HALF_OFF in offers and not any(less in offers for less in LESS_OFF)
        found["Price_discount_range"] = HALF_OFF if half else f"not_{HALF_OFF}"
    return found


def _named(path: str) -> dict[str, str | None]:
    """Names and values of the first two neighbours with commas in them: "a,b" before "1,2"."""
    parts = path.strip("/").split("/")
    for names, values in pairwise(parts):
        if "," in names and "," in values:
            pairs = zip(names.split(","), values.split(","), strict=False)
            return {name.strip(): value.strip() or None for name, value in pairs}
    return {}


async def _open_tabs() -> list[dict[str, Any]]:
    limit = aiohttp.ClientTimeout(TABS_S)
    try:
        async with (
            aiohttp.ClientSession(timeout=limit) as http,
            http.get(f"http://127.0.0.1:{CHROMIUM_PORT}/json/list") as reply,
        ):
            targets = await reply.json(content_type=None)
    except aiohttp.ClientConnectionError as error:
        raise FileNotFoundError("Chromium does not run") from error
    return [target for target in targets if target["type"] == "page"]
