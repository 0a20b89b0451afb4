"""Cart and checkout, in the shop of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.shop import cart_pages, rules
from envs.gyms.apps.shop.catalogue import format_money, get_catalogue
from envs.gyms.apps.shop.state import make_state
from envs.gyms.server.gym import Refused, State
from tests.envs.gyms.apps.app_requests import logged_events, text_of
from tests.envs.gyms.apps.shop.shop_requests import make_shop_request


@pytest.fixture
def state() -> State:
    """One line in the cart, twice."""
    catalogue = get_catalogue(1)
    product = catalogue.products[0]
    state = make_state(catalogue)
    rules.add_to_cart(catalogue, state, product.id, *product.variants_in_stock()[0], 2)
    return state


def test_an_empty_cart_offers_no_checkout() -> None:
    text = text_of(cart_pages.cart(make_shop_request("/cart")))
    assert text.endswith("Cart Your cart is empty")


def test_the_cart_shows_lines_coupon_and_total(state: State) -> None:
    rules.apply_coupon(state, "SAVE10")
    request = make_shop_request("/cart", state=state)
    text = text_of(cart_pages.cart(request))
    price = get_catalogue(1).products[0].price
    assert cart_pages.label_of(request, state["cart"][0]) in text
    assert f"Coupon SAVE10 saves 10%: {format_money(2 * price // 10)}" in text
    assert f"Total {format_money(2 * price - 2 * price // 10)}" in text
    assert logged_events(request) == ["cart"]


def test_quantities_are_changed_and_lines_removed(state: State) -> None:
    key = state["cart"][0]["id"]
    request = make_shop_request(form={"line": key, "qty": "5"}, state=state)
    assert str(cart_pages.cart_update(request).flash).startswith("Quantity changed: ")
    assert request.state["cart"][0]["qty"] == 5
    with pytest.raises(Refused, match="between 0 and 9"):
        cart_pages.cart_update(make_shop_request(form={"line": key, "qty": "x"}, state=state))
    request = make_shop_request(form={"line": key, "qty": "0"}, state=state)
    assert str(cart_pages.cart_update(request).flash).startswith("Removed: ")
    assert request.state["cart"] == []


def test_an_order_is_placed_and_shown(state: State) -> None:
    text = text_of(cart_pages.checkout(make_shop_request("/checkout", state=state)))
    assert "2 items, " in text
    address = state["addresses"][1]["id"]
    form = {"address": address, "shipping": "Express", "payment": "Visa", "terms": "yes"}
    request = make_shop_request(form=form, state=state)
    number = cart_pages.checkout_place(request).path.rpartition("/")[2]
    shown = text_of(cart_pages.show_placed_order(request, number))
    assert f"Order {number}, Express shipping to {address}" in shown
    refused = make_shop_request(form={**form, "terms": ""}, state=state)
    with pytest.raises(Refused, match="terms"):
        cart_pages.checkout_place(refused)
