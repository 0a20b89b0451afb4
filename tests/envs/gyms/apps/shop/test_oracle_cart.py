"""How oracles decide in the cart and at the checkout."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Done, SetValue, Type
from envs.gyms.apps.shop.oracle_cart import (
    CheckOut,
    CheckOutPaying,
    CheckOutWithCoupon,
    RemoveLine,
    SetQuantity,
)
from envs.gyms.server.view import Page
from tests.envs.gyms.kit.observed import observe

LINE = {"label": "Opal Hat Red", "quantity": 3}


def test_a_quantity_is_typed_and_confirmed() -> None:
    decider = SetQuantity(LINE)
    home = Page(observe("link Cart (2) #1", title="Home"))
    assert isinstance(decider.decide(home).action, Click)
    cart = Page(observe("box Quantity Opal Hat Red = 1 #1", title="Cart"))
    action = decider.decide(cart).action
    assert isinstance(action, Type)
    assert (action.text, action.submit) == ("3", True)
    done = Page(observe("text Quantity changed: Opal Hat Red", title="Cart"))
    assert isinstance(decider.decide(done).action, Done)


def test_the_named_line_is_removed() -> None:
    lines = ("button Remove Opal Hat #1", "button Remove Opal Hat Red #2")
    action = RemoveLine(LINE).decide(Page(observe(*lines, title="Cart"))).action
    assert isinstance(action, Click)
    assert action.target is not None
    assert action.target.ref == 2


WANTED = {"address": "Work", "shipping": "Pickup", "payment": "Visa"}


def make_checkout(address: str = "Work", shipping: str = "Pickup", payment: str = "Visa") -> Page:
    fields = (
        f"select Address = {address} #1",
        f"select Shipping = {shipping} #2",
        f"select Payment = {payment} #3",
    )
    return Page(observe(*fields, "check I accept the terms #4", title="Checkout"))


@pytest.mark.parametrize(
    ("decider", "values"),
    [
        (CheckOut, ["Work", "Pickup", True]),
        (CheckOutPaying, ["Work", "Pickup", "Visa", True]),
        (CheckOutWithCoupon, [True]),
    ],
)
@pytest.mark.parametrize("shown", ["Work", "Home"])
def test_what_the_task_names_is_set_once_whatever_it_shows(
    decider: type[CheckOut], values: list[str | bool], shown: str
) -> None:
    oracle, page = decider(WANTED), make_checkout(shown)
    if decider is CheckOutWithCoupon:
        page = make_checkout()
    chosen: list[object] = []
    for _ in values:
        action = oracle.decide(page).action
        assert isinstance(action, SetValue)
        chosen.append(action.value)
        page = make_checkout()
    assert chosen == values


def test_what_somebody_else_changed_is_set_again() -> None:
    oracle = CheckOut(WANTED)
    moves = [oracle.decide(make_checkout()) for _ in range(2)]
    moves += [oracle.decide(make_checkout(address="Home"))]
    moves += [oracle.decide(make_checkout(payment="Invoice"))]
    assert [move.thought for move in moves] == [
        "set address",
        "set shipping",
        "Address Work is Home",
        "Payment Visa is Invoice",
    ]


def test_an_order_that_is_placed_ends_the_task() -> None:
    assert isinstance(CheckOut(WANTED).decide(Page(observe(title="Order placed"))).action, Done)
