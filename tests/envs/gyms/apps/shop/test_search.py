"""Search, filters and sorting of the catalogue."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.names import COLORS, SIZES
from envs.gyms.apps.shop.search import BEST, HIGHEST, LOWEST, Query, list_filter_options, search


def test_exact_name_comes_first() -> None:
    catalogue = get_catalogue(1)
    for product in catalogue.products[::7]:
        assert search(catalogue, Query(product.name.lower()))[0] == product


@pytest.mark.parametrize("words", ["Cotton Shirt", "cotton shirts", "SHIRT  cotton"])
def test_search_understands_case_order_and_plural(words: str) -> None:
    catalogue = get_catalogue(2)
    products = search(catalogue, Query(words))
    assert products
    assert {(p.material, p.category) for p in products} == {("Cotton", "Shirt")}


def test_search_finds_nothing_for_unknown_words() -> None:
    assert search(get_catalogue(2), Query("Cotton Rocket")) == []


@settings(max_examples=60)
@given(
    seed=st.integers(0, 3),
    color=st.sampled_from(["", *COLORS]),
    size=st.sampled_from(["", *SIZES]),
    price=st.sampled_from(["", "under $50", "nonsense"]),
    sort=st.sampled_from([LOWEST, HIGHEST, BEST]),
)
def test_filters_and_sorts_do_what_they_say(
    seed: int, color: str, size: str, price: str, sort: str
) -> None:
    products = search(get_catalogue(seed), Query(color=color, size=size, price=price, sort=sort))
    keys = {
        LOWEST: lambda p: p.price,
        HIGHEST: lambda p: -p.price,
        BEST: lambda p: (-p.rating, -p.reviews),
    }
    assert products == sorted(products, key=keys[sort])
    for product in products:
        assert not color or color in product.colors
        assert not size or size in product.sizes
        assert price != "under $50" or product.price < 5000
        if color and size:
            assert product.count_left(color, size) > 0


def test_facets_leave_out_what_would_show_nothing() -> None:
    catalogue = get_catalogue(2)
    bag = next(p for p in catalogue.products if not p.sizes)
    assert list_filter_options(catalogue, Query(bag.name))["size"] == []
    assert list_filter_options(catalogue, Query(bag.name))["color"] == sorted(
        {c for p in search(catalogue, Query(bag.name)) for c in p.colors}
    )
