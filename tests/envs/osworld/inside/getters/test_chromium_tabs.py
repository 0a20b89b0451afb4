"""What is read off an address."""

from __future__ import annotations

import pytest

from envs.osworld.inside.getters.chromium_tabs import HALF_OFF, dash_part, filters, query_values

SHOP = "https://www.macys.com/shop/mens-clothing/mens-shirts"
KEYS = ["mens_clothing", "shirts", "Men_regular_size_t", "Price_discount_range", "short_sleeve"]


def test_parameters_by_name() -> None:
    url = "https://a.example/s?locationName=Z%C3%BCrich&fuel_slugs%5B%5D=electric&empty=&fuel=x#q=1"
    keys = ["locationName", "fuel_slugs[]", "empty", "q"]
    assert query_values(url, {"parse_keys": keys}) == {
        "locationName": "Zürich", "fuel_slugs[]": "electric", "empty": "", "q": "",
    }  # fmt: skip


def test_parameters_under_other_names_and_as_lists() -> None:
    url = "https://a.example/s?departing=2026-11-23&modelList=a,b%2Cc"
    options = {"parse_keys": ["departing", "modelList"], "replace": {"departing": "time"}}
    assert query_values(url, options) == {"modelList": "a,b,c", "time": "2026-11-23"}
    assert query_values(url, {"parse_keys": ["modelList"], "split_list": True}) == {
        "modelList": ["a", "b", "c"]
    }


def test_a_part_between_slashes() -> None:
    url = "https://www.weather.example/en/gb/manchester/m15-6/march-weather/329260?id=3"
    options = {"partIndex": -2, "returnType": "json", "key": "time"}
    assert dash_part(url, options) == {"time": "march-weather"}
    last = {"partIndex": "-1", "returnType": "string"}
    assert dash_part(url, last) == "329260?id=3"
    assert dash_part(url, {**last, "needDeleteId": True}) == "329260"
    with pytest.raises(FileNotFoundError):
        dash_part("about:blank", options)
    with pytest.raises(ValueError, match="xml"):
        dash_part(url, {**last, "returnType": "xml"})


def test_filters_of_a_shop() -> None:
    names = "Men_regular_size_t,Price_discount_range,Sleeve_length"
    url = f"{SHOP}/{names}/L,50_PERCENT_%20off%20%26%20more,Short%20Sleeve?id=20626"
    assert filters(url, KEYS) == {
        "mens_clothing": True, "shirts": True, "short_sleeve": True,
        "Men_regular_size_t": "L", "Price_discount_range": HALF_OFF,
    }  # fmt: skip


def test_filters_that_are_not_set_or_too_wide() -> None:
    assert filters("https://www.macys.com/", KEYS) == {
        "mens_clothing": None, "shirts": None, "short_sleeve": None,
        "Men_regular_size_t": None, "Price_discount_range": f"not_{HALF_OFF}",
    }  # fmt: skip
    wide = "50_PERCENT_ off & more|20_PERCENT_ off & more"
    value = filters(f"{SHOP}/Price_discount_range,Sleeve_length/{wide},Long", KEYS)
    assert value["Price_discount_range"] == f"not_{HALF_OFF}"
    assert value["short_sleeve"] is None
