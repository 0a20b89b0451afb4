"""Getters of Chromium's open tabs and their addresses.

Guarantees: tabs are only read, and Chromium is not started. The address is that of the page, not
the text of the address bar, so it is complete and `goto_prefix` (which OSWorld puts before it) is
not needed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from envs.apps.chromium.targets import fetch_tabs, make_client
from envs.contract.actions import ActionError
from envs.io.json_client import Unreachable
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import Machine

if TYPE_CHECKING:
    from envs.apps.chromium.connection import Chromium
    from envs.desktop.desktop import Desktop

TABS_S = 5.0
HALF_OFF = "50_PERCENT_ off & more"
LESS_OFF = ("30_PERCENT_ off & more", "20_PERCENT_ off & more")
_CONTENT = "() => document.documentElement.outerHTML"


async def chromium_tabs(machine: Machine, ending: Ending, parameters: Parameters) -> list[str]:
    """Addresses of the open tabs, sorted. Raises FileNotFoundError when Chromium does not run."""
    return sorted(tab["url"] for tab in await _open_tabs())


async def open_tabs_info(
    machine: Machine, ending: Ending, parameters: Parameters
) -> list[dict[str, str]]:
    """Title and url of each open tab, the one used last first. Raises FileNotFoundError when
    Chromium does not run."""
    return [{"title": tab["title"], "url": tab["url"]} for tab in await _open_tabs()]


async def active_url(desktop: Desktop, ending: Ending, parameters: Parameters) -> str:
    """Address of the tab in front. Raises FileNotFoundError when there is none."""
    _, page = await active_tab(desktop)
    return str(page["url"])


async def active_tab_info(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, str]:
    """Title, url and content (HTML as it is now) of the tab in front. Raises FileNotFoundError when
    there is none."""
    browser, page = await active_tab(desktop)
    content = await in_tab(browser, page["id"], _CONTENT)
    return {"title": page["title"], "url": page["url"], "content": content}


async def active_tab_url_parse(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """The parameters `parse_keys` of the address in front, empty when it has none; `replace` gives
    them other names, `split_list` makes lists of them at commas."""
    return query_values(await active_url(desktop, ending, parameters), parameters)


async def url_dash_part(desktop: Desktop, ending: Ending, parameters: Parameters) -> Any:
    """The part at `partIndex` of the address in front, between slashes, as `returnType` says:
    "string", or "json" for an object with it as `key`; without its query with `needDeleteId`."""
    return dash_part(await active_url(desktop, ending, parameters), parameters)


async def macys_product_url_parse(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """What the address in front, of the shop Macy's, filters by; see `filters`."""
    return filters(await active_url(desktop, ending, parameters), parameters["parse_keys"])


async def active_tab(desktop: Desktop) -> tuple[Chromium, dict[str, Any]]:
    """The browser, and id, title and url of the tab in front. Raises FileNotFoundError."""
    from envs.apps.chromium.connection import running
    from envs.apps.chromium.tabs import front
    from envs.contract.tools import ToolError

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
    """The value of a fixed function in the user's tab. Raises FileNotFoundError for a page that
    does not answer, such as one with an open dialog."""
    from envs.contract.tools import ToolError

    try:
        return await browser.run(tab, function, *values)
    except ToolError as error:
        raise FileNotFoundError(f"the page in front does not answer: {error}") from error


def query_values(url: str, parameters: Parameters) -> dict[str, Any]:
    """See `active_tab_url_parse`; the first value of a parameter that has several."""
    query = parse_qs(urlsplit(url).query)
    names = {key: parameters.get("replace", {}).get(key, key) for key in parameters["parse_keys"]}
    values = {name: query.get(key, [""])[0] for key, name in names.items()}
    if parameters.get("split_list"):
        return {name: value.split(",") for name, value in values.items()}
    return values


def dash_part(url: str, parameters: Parameters) -> Any:
    """See `url_dash_part`. Raises FileNotFoundError for an address of fewer parts, ValueError for
    another `returnType`."""
    kind = parameters["returnType"]
    if kind not in ("string", "json"):
        raise ValueError(f"returnType is {kind!r}, not 'string' or 'json'")
    try:
        part = url.split("/")[int(parameters["partIndex"])]
    except IndexError as error:
        raise FileNotFoundError(f"{url} has no part {parameters['partIndex']}") from error
    if parameters.get("needDeleteId"):
        part = part.partition("?")[0]
    return part if kind == "string" else {parameters["key"]: part}


def filters(url: str, keys: list[str]) -> dict[str, Any]:
    """Of a path such as /shop/mens-clothing/shirts/Men_regular_size_t,Sleeve_length/L,short-sleeve:
    `mens_clothing`, `shirts` and `short_sleeve` are true or None; of `keys`, sizes and discounts as
    the path says, None when it does not. A discount is HALF_OFF when it is that and no less."""
    path = unquote(urlsplit(url).path)
    facets = _parse_facets(path)
    shirts = "shirts" in path or facets.get("Product_department") in ("Shirts", "Shirt")
    short = "short-sleeve" in path or facets.get("Sleeve_length") == "Short Sleeve"
    values: dict[str, Any] = {
        "mens_clothing": "mens-clothing" in path or None,
        "shirts": shirts or None,
        "short_sleeve": short or None,
    }
    readable = {"Men_regular_size_t", "Price_discount_range", *facets} - values.keys()
    for key in (key for key in keys if key in readable):
        values[key] = facets.get(key)
    if "Price_discount_range" in values:
        offers = [part.strip() for part in (values["Price_discount_range"] or "").split("|")]
        half = HALF_OFF in offers and not any(less in offers for less in LESS_OFF)
        values["Price_discount_range"] = HALF_OFF if half else f"not_{HALF_OFF}"
    return values


def _parse_facets(path: str) -> dict[str, str | None]:
    """Names and values of the first two neighbouring parts with commas: "a,b" before "1,2"."""
    parts = path.strip("/").split("/")
    for names, values in pairwise(parts):
        if "," in names and "," in values:
            pairs = zip(names.split(","), values.split(","), strict=False)
            return {name.strip(): value.strip() or None for name, value in pairs}
    return {}


async def _open_tabs() -> list[dict[str, Any]]:
    try:
        async with make_client(TABS_S) as client:
            return await fetch_tabs(client)
    except Unreachable as error:
        raise FileNotFoundError("Chromium does not run") from error
