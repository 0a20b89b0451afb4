"""What the shop's rules do and refuse."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Product, get_catalogue
from envs.gyms.apps.shop.state import make_state
from envs.gyms.server.gym import NotFound, Refused, State


@pytest.fixture
def state() -> State:
    return make_state(get_catalogue(1))


@pytest.fixture
def shirt() -> Product:
    return next(p for p in get_catalogue(1).products if p.sizes and p.sold_out)


def refused(state: State, change: object, *arguments: object, **named: object) -> str:
    """The message of a refusal that left the state as it was."""
    before = copy.deepcopy(state)
    with pytest.raises((Refused, NotFound)) as caught:
        change(*arguments, **named)  # type: ignore[operator]
    assert state == before
    return str(caught.value)


def test_what_the_cart_refuses(state: State, shirt: Product) -> None:
    catalogue, add = get_catalogue(1), rules.add_to_cart
    color, size = next(v for v in shirt.variants() if v not in shirt.sold_out)
    gone_color, gone_size = min(shirt.sold_out)
    assert refused(state, add, catalogue, state, shirt.id, "", size) == "Please choose a color"
    assert refused(state, add, catalogue, state, shirt.id, color, "") == "Please choose a size"
    assert "sold out" in refused(state, add, catalogue, state, shirt.id, gone_color, gone_size)
    assert "between 1 and 9" in refused(state, add, catalogue, state, shirt.id, color, size, 10)
    assert "does not exist" in refused(state, add, catalogue, state, "p999", color, size)
    assert refused(state, rules.apply_coupon, state, "SAVE10") == "Your cart is empty"
    add(catalogue, state, shirt.id, color, size)
    assert refused(state, rules.apply_coupon, state, "nope") == "Coupon NOPE is not valid"
    assert "between 0 and 9" in refused(
        state, rules.set_quantity, state, state["cart"][0]["id"], 10
    )


def test_totals_add_up(state: State, shirt: Product) -> None:
    catalogue = get_catalogue(1)
    color, size = next(v for v in shirt.variants() if v not in shirt.sold_out)
    rules.add_to_cart(catalogue, state, shirt.id, color, size, 3)
    rules.apply_coupon(state, " save10 ")
    assert rules.add_up_cart(catalogue, state, "Express") == {
        "subtotal": 3 * shirt.price,
        "discount": 3 * shirt.price // 10,
        "shipping": 1290,
        "total": 3 * shirt.price - 3 * shirt.price // 10 + 1290,
    }
    order = {"address": "Home", "shipping": "Express", "payment": "Visa", "terms": True}

    def place(**changes: object) -> str:
        return rules.place_order(catalogue, state, **{**order, **changes})  # type: ignore[arg-type]

    assert "address" in refused(state, place, address="Moon")
    assert "shipping" in refused(state, place, shipping="")
    assert "payment" in refused(state, place, payment="Gold")
    assert "terms" in refused(state, place, terms=False)
    number = place()
    placed = rules.get_order(state, number)
    assert placed["total"] == 3 * shirt.price - 3 * shirt.price // 10 + 1290
    assert placed["coupon"] == "SAVE10"
    assert (state["cart"], state["coupon"]) == ([], None)


def test_only_delivered_items_return_and_only_unshipped_orders_cancel(state: State) -> None:
    by_status = {order["status"]: order["id"] for order in state["orders"]}
    back, cancel = rules.return_line, rules.cancel_order
    assert "delivered" in refused(state, back, state, by_status["Shipped"], "1", "Damaged")
    assert "reason" in refused(state, back, state, by_status["Delivered"], "1", "")
    assert "not shipped" in refused(state, cancel, state, by_status["Shipped"])
    back(state, by_status["Delivered"], "1", "Damaged")
    assert "already" in refused(state, back, state, by_status["Delivered"], "1", "Damaged")
    cancel(state, by_status["Processing"])
    assert "not shipped" in refused(state, cancel, state, by_status["Processing"])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("zip", "1234", "The zip must have five digits"),
     ("zip", "١٢٣٤٥", "The zip must have five digits"),
     ("city", "  ", "Please enter a valid city"), ("name", "x" * 81, "Please enter a valid name")],
)  # fmt: skip
def test_addresses_are_validated(state: State, field: str, value: str, message: str) -> None:
    fields = {**state["addresses"][0], field: value}
    assert refused(state, rules.edit_address, state, "Home", fields) == message
