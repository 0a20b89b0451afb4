"""Metrics of the browser: tabs, bookmarks, cookies, settings."""

from __future__ import annotations

from typing import Any

import pytest

from envs.osworld.outside.published import chrome

URL = {"type": "url", "url": "https://drugs.com/npc/"}


@pytest.mark.parametrize(
    "wrap", [lambda url: url, lambda url: {"url": url}], ids=["text", "object"]
)
def test_the_active_tab_shows_an_address(wrap: Any) -> None:
    assert chrome.is_expected_active_tab(wrap("https://www.drugs.com/npc/"), URL) == 1
    assert chrome.is_expected_active_tab(wrap("https://www.drugs.com/npc/?a=1"), URL) == 0
    assert chrome.is_expected_active_tab_approximate(wrap("https://drugs.com/npc/?a=1"), URL) == 1
    assert chrome.is_expected_active_tab_approximate(wrap("https://drugs.com/npp/"), URL) == 0


def test_the_port_is_part_of_an_address() -> None:
    rule = {"type": "url", "url": "http://localhost:9000/"}
    assert chrome.is_expected_active_tab("http://localhost:8000/", rule) == 0
    assert chrome.is_expected_active_tab_compat("http://localhost:8000/", rule) == 1


@pytest.mark.parametrize("tab", [None, "", {}, {"url": None}, {"url": 5}, "http://["])
def test_no_address_scores_nothing(tab: Any) -> None:
    assert chrome.is_expected_active_tab(tab, URL) == 0
    assert chrome.is_expected_active_tab_approximate(tab, URL) == 0
    assert chrome.is_expected_url_pattern_match(tab, {"expected": ["drugs"]}) == 0
    if not isinstance(tab, str):
        assert chrome.is_expected_search_query(tab, {"expect": {"pattern": "drugs"}}) == 0


def test_every_pattern_is_found() -> None:
    rule = {"expected": ["^https://(www\\.)?drugs", "user=a"]}
    assert chrome.is_expected_url_pattern_match("https://www.drugs.com/?user=a", rule) == 1
    assert chrome.is_expected_url_pattern_match("https://www.drugs.com/", rule) == 0
    query = {"expect": {"pattern": "q=(?i:nereida)"}}
    assert chrome.is_expected_search_query({"url": "https://a.org/?q=Nereida"}, query) == 1


def test_rules_that_mean_nothing_are_errors() -> None:
    with pytest.raises(ValueError, match="'title'"):
        chrome.is_expected_active_tab("https://a.org", {"type": "title", "url": "a"})
    with pytest.raises(ValueError, match="is not a pattern"):
        chrome.is_expected_url_pattern_match("https://a.org", {"expected": ["("]})
    with pytest.raises(ValueError, match="list of patterns"):
        chrome.is_expected_url_pattern_match("https://a.org", {"expected": "https"})
    with pytest.raises(ValueError, match="'id'"):
        chrome.is_shortcut_on_desktop({}, {"type": "id", "id": "x"})
    with pytest.raises(TypeError, match="'id'"):
        chrome.is_shortcut_on_desktop_compat({}, {"type": "id", "id": "x"})


def test_open_tabs_are_counted() -> None:
    a, b = {"url": "https://a.org/"}, {"url": "https://www.b.org"}
    rule = {"type": "url", "urls": ["https://b.org", "https://a.org"]}
    assert chrome.is_expected_tabs([a, b], rule) == 1
    assert chrome.is_expected_tabs([a, b, b], rule) == 0
    assert chrome.is_expected_tabs([], rule) == 0
    twice = {"type": "url", "urls": ["https://a.org", "https://a.org"]}
    assert chrome.is_expected_tabs([a, b], twice) == 0
    assert chrome.is_expected_tabs_compat([a, b], twice) == 1


def test_extensions_are_installed_among_others() -> None:
    assert chrome.is_expected_installed_extensions(["a", "b"], {"expected": ["b"]}) == 1
    assert chrome.is_expected_installed_extensions(["a"], {"expected": ["a", "b"]}) == 0


def _bar(*children: dict[str, Any]) -> dict[str, Any]:
    return {"bookmark_bar": {"type": "folder", "name": "Bookmarks", "children": list(children)}}


def test_bookmarks_are_just_these() -> None:
    page = {"type": "url", "name": "A", "url": "https://a.org/"}
    folder = {"type": "folder", "name": "Favorites", "children": []}
    folders = {"type": "bookmark_bar_folders_names", "names": ["Favorites"]}
    pages = {"type": "bookmark_bar_websites_urls", "urls": ["https://a.org/"]}
    for rule in (folders, pages):
        assert chrome.is_expected_bookmarks(_bar(page, folder), rule) == 1
        assert chrome.is_expected_bookmarks(_bar(), rule) == 0
        assert chrome.is_expected_bookmarks({}, rule) == 0
        assert chrome.is_expected_bookmarks(None, rule) == 0
    assert chrome.is_expected_bookmarks(_bar(folder, {**folder, "name": "x"}), folders) == 0


def test_of_each_author_one_page_is_liked() -> None:
    rule = {
        "type": "liked_authors_websites_urls",
        "names": ["Liked Authors"],
        "urls": [["https://a.org/", "https://b.org/"], "https://c.org/"],
    }
    for urls, score in (("bc", 1), ("ca", 1), ("ab", 0), ("c", 0), ("abc", 0)):
        pages = [{"type": "url", "name": x, "url": f"https://{x}.org/"} for x in urls]
        folder = {"type": "folder", "name": "Liked Authors", "children": pages}
        assert chrome.is_expected_bookmarks(_bar(folder), rule) == score
    assert rule["urls"][1] == "https://c.org/"


def test_cookies_of_hosts_below_are_the_sites_too() -> None:
    rule = {"type": "domains", "domains": [".amazon.com"]}
    for host, score, upstream in (
        (".amazon.com", 0, 0),
        ("www.amazon.co.uk", 0, 0),
        ("ads.amazon.com", 0, 1),
        ("amazonia.org", 1, 1),
        ("example.org", 1, 1),
    ):
        assert chrome.is_cookie_deleted([[1, host, "n"]], rule) == score
        assert chrome.is_cookie_deleted_compat([[1, host, "n"]], rule) == upstream
    assert chrome.is_cookie_deleted([], rule) == 1


def test_a_shortcut_has_the_line() -> None:
    rule = {"type": "name", "name": "Play"}
    for content, score, upstream in (
        ("[Desktop Entry]\nName=Play\nExec=a\n", 1, 1),
        ("GenericName=Play\n", 0, 1),
        ("Name=Play", 1, 0),
        ("Name=Play now\n", 0, 0),
    ):
        assert chrome.is_shortcut_on_desktop({"a.desktop": content}, rule) == score
        assert chrome.is_shortcut_on_desktop_compat({"a.desktop": content}, rule) == upstream
    run = {"type": "exec", "exec": "a b"}
    assert chrome.is_shortcut_on_desktop({"a": "Exec=a b\n"}, run) == 1


def test_history_has_no_keyword() -> None:
    rule = {"type": "keywords", "keywords": ["youtube"]}
    assert chrome.check_history_deleted([["https://a.org", "YouTube", 1]], rule) == 1
    assert chrome.check_history_deleted([["https://www.youtube.com/", "", 1]], rule) == 0


def test_experiments_have_no_order() -> None:
    rule = {"type": "names", "names": ["a", "b"]}
    assert chrome.check_enabled_experiments(["b@2", "a@1"], rule) == 1
    assert chrome.check_enabled_experiments(["a@1"], rule) == 0
    assert chrome.check_enabled_experiments_compat(["b@2", "a@1"], rule) == 0


def test_a_font_size_is_a_value_or_within() -> None:
    value, within = {"type": "value", "value": 20}, {"type": "range", "min": 16, "max": 99}
    for size, expected in ((20, (1, 1)), (16, (0, 0)), (24, (0, 1)), ("20", (0, 0))):
        sizes = {"default_font_size": size}
        scores = chrome.check_font_size(sizes, value), chrome.check_font_size(sizes, within)
        assert scores == expected


def test_the_cart_has_all_items() -> None:
    cart = {"content": "Portal, Dota 2"}
    assert chrome.is_added_to_steam_cart(cart, {"items": ["Dota 2", "Portal"]}) == 1
    assert chrome.is_added_to_steam_cart(cart, {"items": ["Dota 2", "Half-Life"]}) == 0
