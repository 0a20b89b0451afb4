"""Orders, returns, addresses and the wish list, in the shop of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.shop import account_pages, rules
from envs.gyms.apps.shop.catalogue import format_money
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, text_of
from tests.envs.gyms.apps.shop.shop_requests import make_shop_request


def test_the_account_names_its_customer() -> None:
    request = make_shop_request("/account")
    name = request.state["addresses"][0]["name"]
    assert f"Hello {name}, you pay by" in text_of(account_pages.account(request))


def test_orders_are_listed_and_shown() -> None:
    request = make_shop_request("/orders")
    text = text_of(account_pages.orders(request))
    for order in request.state["orders"]:
        assert f"Order {order['id']} " in text
        page = text_of(account_pages.order_page(request, order["id"]))
        assert f"Total {format_money(order['total'])}" in page
        assert ("Cancel order" in page) == (order["status"] == "Processing")
        assert (" Return " in page) == (order["status"] == "Delivered")
    assert logged_events(request)[0] == "orders"
    with pytest.raises(NotFound, match="order"):
        account_pages.order_page(request, "1")


def test_an_order_is_cancelled_after_a_question() -> None:
    request = make_shop_request(form={})
    number = next(o["id"] for o in request.state["orders"] if o["status"] == "Processing")
    assert f"Cancel order {number}?" in text_of(account_pages.cancel_page(request, number))
    assert account_pages.cancel_confirm(request, number).flash == f"Order cancelled: {number}"
    with pytest.raises(Refused, match="not shipped"):
        account_pages.cancel_confirm(request, number)


def test_an_item_is_returned_for_a_reason() -> None:
    request = make_shop_request(form={"reason": "Damaged"})
    number = next(o["id"] for o in request.state["orders"] if o["status"] == "Delivered")
    page = text_of(account_pages.return_page(request, number, "1"))
    assert "Choose Too small Too large Damaged" in page
    flash = account_pages.return_send(request, number, "1").flash
    assert str(flash).startswith("Return requested: ")
    assert rules.get_order(request.state, number)["lines"][0]["returned"] == "Damaged"


def test_an_address_is_edited() -> None:
    request = make_shop_request(form={"name": "A B", "street": "1 C", "city": "D", "zip": "12345"})
    assert account_pages.address_save(request, "Home").flash == "Address saved: Home"
    assert "Home: A B, 1 C, 12345 D" in text_of(account_pages.addresses(request))
    assert "Edit Home address name street city zip" in text_of(
        account_pages.address_page(request, "Home")
    )


def test_a_wish_is_removed() -> None:
    request = make_shop_request(form={"product": "p3"})
    with pytest.raises(Refused, match="not on the wish list"):
        account_pages.wishlist_remove(request)
    rules.set_wish(request.world, request.state, "p3", is_wish=True)
    name = request.world.by_id["p3"].name
    assert name in text_of(account_pages.wishlist(request))
    assert account_pages.wishlist_remove(request).flash == f"Removed from wish list: {name}"
    assert "Your wish list is empty" in text_of(account_pages.wishlist(request))
