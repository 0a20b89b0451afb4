"""Home, results and one product, in the shop of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.shop import product_pages
from envs.gyms.apps.shop.search import LOWEST, Query, search
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, text_of
from tests.envs.gyms.apps.shop.shop_requests import make_shop_request


@pytest.mark.parametrize(("text", "count"), [("7", 7), ("0", 0), ("-1", None), ("1234", None)])
def test_counts_are_short_numbers(text: str, count: int | None) -> None:
    assert product_pages.parse_count(text) == count


def test_home_lists_the_categories() -> None:
    request = make_shop_request()
    text = text_of(product_pages.home(request))
    assert f"Welcome to {request.world.name}" in text
    assert all(category in text for category in request.world.categories)


def test_results_are_those_of_the_search_and_logged() -> None:
    query = {"q": "wool", "sort": LOWEST, "page": "2"}
    request = make_shop_request("/search", query=query)
    text = text_of(product_pages.results(request))
    matches = search(request.world, Query("wool", sort=LOWEST))
    size = request.world.page_size
    assert f"{len(matches)} results for wool Sorted by {LOWEST}" in text
    assert f"Page 2 of {-(-len(matches) // size)}" in text
    shown = matches[size : 2 * size]
    assert logged_events(request) == [f"listed:{product.id}" for product in shown]


def test_an_unknown_category_or_product_is_not_found() -> None:
    with pytest.raises(NotFound, match="no category Spoon"):
        product_pages.results(make_shop_request("/c/Spoon"), "Spoon")
    with pytest.raises(NotFound, match="does not exist"):
        product_pages.product_page(make_shop_request("/p/p999"), "p999")


def test_the_address_chooses_a_variant() -> None:
    world = make_shop_request().world
    product = next(product for product in world.products if product.sizes and product.sold_out)
    color, size = min(product.sold_out)
    query = {"color": color, "size": size}
    request = make_shop_request(f"/p/{product.id}", query=query)
    text = text_of(product_pages.product_page(request, product.id))
    assert "Sold out Add to cart" in text
    assert logged_events(request) == [
        f"view:{product.id}",
        f"sold_out:{product.id}:{color}:{size}",
    ]


def test_adding_leads_back_to_the_variant() -> None:
    world = make_shop_request().world
    product = next(product for product in world.products if product.sizes)
    color, size = product.variants_in_stock()[0]
    request = make_shop_request(form={"color": color, "size": size, "qty": "2"})
    redirect = product_pages.product_add(request, product.id)
    assert redirect.path == f"/shop/p/{product.id}?color={color}&size={size}"
    assert redirect.flash == f"Added to cart: {product.name} {color} {size}"
    assert [line["qty"] for line in request.state["cart"]] == [2]
    with pytest.raises(Refused, match="between 1 and 9"):
        product_pages.product_add(
            make_shop_request(form={"color": color, "size": size, "qty": "x"}), product.id
        )


def test_wishes_are_saved_once() -> None:
    request = make_shop_request(form={})
    for _ in range(2):
        assert product_pages.product_wish(request, "p7").path == "/shop/p/p7"
    assert request.state["wishlist"] == [{"id": "p7"}]
