"""OSWorld's metrics of Chrome: its tabs and addresses, and what is in its profile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from envs.osworld.outside.published.addresses import normal, same_address, same_address_compat, site

Tab = str | Mapping[str, Any] | None
"""Its address, or an object with it as `url`."""


def is_expected_active_tab(result: Tab, expected: Mapping[str, str]) -> float:
    """1 when the tab shows this address."""
    _type(expected, "url")
    return float(bool(result) and same_address(_url(result), expected["url"]))


def is_expected_active_tab_compat(result: Tab, expected: Mapping[str, str]) -> float:
    """Leaves out ports. Raises ValueError for an address that cannot be parsed."""
    if not result or expected["type"] != "url":
        return 0.0
    return float(same_address_compat(expected["url"], _url(result)))


def is_expected_active_tab_approximate(result: Tab, expected: Mapping[str, str]) -> float:
    """1 when the tab shows this address, whatever its query."""
    _type(expected, "url")
    url = _url(result)
    try:
        return float(bool(url) and _without_query(str(url)) == _without_query(expected["url"]))
    except ValueError:
        return 0.0


def is_expected_url_pattern_match(result: Tab, expected: Mapping[str, Sequence[str]]) -> float:
    """1 when every pattern is found in the tab's address."""
    url = _url(result)
    if isinstance(expected["expected"], str):
        raise ValueError("expected is one text, not a list of patterns")
    return float(bool(url) and all(_has_match(each, str(url)) for each in expected["expected"]))


def is_expected_search_query(
    result: Mapping[str, Any] | None, expected: Mapping[str, Mapping[str, str]]
) -> float:
    """1 when the pattern is found in the tab's address."""
    url = _url(result)
    return float(bool(url) and _has_match(expected["expect"]["pattern"], str(url)))


def is_expected_tabs(
    result: Sequence[Mapping[str, str]] | None, expected: Mapping[str, Any]
) -> float:
    """1 when the open tabs show these addresses, in any order."""
    _type(expected, "url")
    shown = [tab.get("url", "") for tab in result or ()]
    return float(_normals(shown) == _normals(expected["urls"]))


def is_expected_tabs_compat(
    result: Sequence[Mapping[str, str]] | None, expected: Mapping[str, Any]
) -> float:
    """As many tabs, among them each address: one that is wanted twice need be open but once. Raises
    ValueError for an address that cannot be parsed."""
    if not result or expected["type"] != "url":
        return 0.0
    shown, urls = [tab["url"] for tab in result], expected["urls"]
    return float(
        len(shown) == len(urls)
        and all(any(same_address_compat(url, address) for address in shown) for url in urls)
    )


def is_expected_installed_extensions(
    result: Sequence[str] | None, expected: Mapping[str, Sequence[str]]
) -> float:
    """1 when these extensions are installed, others or not."""
    return float(bool(result) and set(expected["expected"]) <= set(result or ()))


def is_expected_bookmarks(result: Mapping[str, Any] | None, expected: Mapping[str, Any]) -> float:
    """1 when the bookmark bar has just these folders ("bookmark_bar_folders_names"), just these
    pages ("bookmark_bar_websites_urls"), or, in the folder "Liked Authors", one page of each list
    ("liked_authors_websites_urls"). Raises ValueError for another `type`."""
    bar = ((result or {}).get("bookmark_bar") or {}).get("children", ())
    kind = expected["type"]
    if kind == "bookmark_bar_folders_names":
        return float(bool(result) and _of(bar, "folder", "name") == set(expected["names"]))
    if kind == "bookmark_bar_websites_urls":
        return float(bool(result) and _of(bar, "url", "url") == set(expected["urls"]))
    _type(expected, "liked_authors_websites_urls")
    folders = (
        entry for entry in bar if entry["type"] == "folder" and entry["name"] == "Liked Authors"
    )
    folder = next(folders, None)
    liked = None if folder is None else _of(folder["children"], "url", "url")
    choices = product(*([urls] if isinstance(urls, str) else urls for urls in expected["urls"]))
    return float(any(set(choice) == liked for choice in choices))


def is_cookie_deleted(result: Sequence[Sequence[Any]], expected: Mapping[str, Any]) -> float:
    """1 when no cookie (its second value says whose) is of these domains or of a host below."""
    _type(expected, "domains")
    hosts = [site(str(cookie[1]).lstrip(".")) for cookie in result]
    gone = [site(domain.lstrip(".")) for domain in expected["domains"]]
    return float(
        not any(host == domain or host.endswith(f".{domain}") for host in hosts for domain in gone)
    )


def is_cookie_deleted_compat(result: Sequence[Sequence[Any]], expected: Mapping[str, Any]) -> float:
    """Cookies of hosts below are no matter. Raises TypeError for another `type`."""
    if expected["type"] != "domains":
        raise TypeError(expected["type"])
    pairs = product(expected["domains"], (cookie[1] for cookie in result))
    return float(not any(same_address_compat(domain, host) for domain, host in pairs))


def is_shortcut_on_desktop(result: Mapping[str, str], expected: Mapping[str, str]) -> float:
    """1 when a desktop file has the line Name= or Exec= with this value (`type` says which)."""
    line = _shortcut_line(expected, ValueError)
    return float(any(line in content.splitlines() for content in result.values()))


def is_shortcut_on_desktop_compat(result: Mapping[str, str], expected: Mapping[str, str]) -> float:
    """GenericName= and TryExec= will do, and the last line needs its end. Raises TypeError."""
    line = _shortcut_line(expected, TypeError) + "\n"
    return float(any(line in content for content in result.values()))


def check_history_deleted(result: Sequence[Sequence[Any]], expected: Mapping[str, Any]) -> float:
    """1 when no visited address (first of each entry) has one of these keywords in it."""
    _type(expected, "keywords")
    urls = [str(entry[0]) for entry in result]
    return float(not any(keyword in url for keyword in expected["keywords"] for url in urls))


def check_enabled_experiments(result: Sequence[str], expected: Mapping[str, Any]) -> float:
    """1 when just these experiments are set, in any order."""
    _type(expected, "names")
    return float(sorted(_experiments(result)) == sorted(expected["names"]))


def check_enabled_experiments_compat(result: Sequence[str], expected: Mapping[str, Any]) -> float:
    """In this order. Raises TypeError."""
    if expected["type"] != "names":
        raise TypeError(expected["type"])
    return float(_experiments(result) == expected["names"])


def check_font_size(result: Mapping[str, Any], expected: Mapping[str, Any]) -> float:
    """1 when the default size is `value`, or more than `min` and less than `max`."""
    size = result["default_font_size"]
    if expected["type"] == "value":
        return float(size == expected["value"])
    _type(expected, "range")
    return float(isinstance(size, int | float) and expected["min"] < size < expected["max"])


def is_added_to_steam_cart(
    result: Mapping[str, str], expected: Mapping[str, Sequence[str]]
) -> float:
    """1 when the page shows all these items."""
    return float(all(item in result["content"] for item in expected["items"]))


def _type(rule: Mapping[str, Any], known: str) -> None:
    if rule["type"] != known:
        raise ValueError(f"type is {rule['type']!r}, not {known!r}")


def _url(tab: Tab) -> str | None:
    url = tab.get("url") if isinstance(tab, Mapping) else tab
    return url if isinstance(url, str) else None


def _without_query(url: str) -> str:
    return urlunsplit(urlsplit(url)._replace(query=""))


def _has_match(pattern: str, url: str) -> bool:
    """Raises ValueError for what is no pattern."""
    try:
        return re.search(pattern, url) is not None
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a pattern: {error}") from error


def _normals(urls: Iterable[str]) -> list[tuple[str, ...]]:
    return sorted(_normal(url) for url in urls)


def _normal(url: str) -> tuple[str, ...]:
    try:
        return normal(url)
    except ValueError:
        return (url,)


def _of(bookmarks: Iterable[Mapping[str, Any]], kind: str, value: str) -> set[str]:
    return {entry[value] for entry in bookmarks if entry["type"] == kind}


def _experiments(listed: Iterable[str]) -> list[str]:
    """Names; what follows the @ says which of its choices is taken."""
    return [experiment.partition("@")[0] for experiment in listed]


def _shortcut_line(rule: Mapping[str, str], unknown: type[Exception]) -> str:
    kinds = {"name": "Name", "exec": "Exec"}
    if rule["type"] not in kinds:
        raise unknown(f"type is {rule['type']!r}, not 'name' or 'exec'")
    return f"{kinds[rule['type']]}={rule[rule['type']]}"
