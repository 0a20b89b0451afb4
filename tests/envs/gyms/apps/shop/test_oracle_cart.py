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


def test_terms_are_accepted_after_all_fields_are_right() -> None:
    params = {"address": "Home", "shipping": "Express", "payment": "Visa"}
    fields = [
        "select Address = Home #1",
        "select Shipping = Express #2",
        "select Payment = Visa #3",
    ]
    page = Page(observe(*fields, "check I accept the terms #4", title="Checkout"))
    action = CheckOut(params).decide(page).action
    assert isinstance(action, SetValue)
    assert action.value is True
    assert isinstance(CheckOut(params).decide(Page(observe(title="Order placed"))).action, Done)


@pytest.mark.parametrize(
    ("decider", "shown", "thought", "value"),
    [
        (CheckOut, ("Home", "Express"), "Address Work is Home", "Work"),
        (
            CheckOut,
            ("Work", "Express"),
            "Address Work is Work, Shipping Pickup is Express",
            "Pickup",
        ),
        (CheckOut, ("Work", "Pickup"), "Address Work is Work, Shipping Pickup is Pickup", True),
        (
            CheckOutPaying,
            ("Work", "Pickup"),
            "Address Work is Work, Shipping Pickup is Pickup, Payment Visa is Visa",
            True,
        ),
        (CheckOutWithCoupon, ("Work", "Pickup"), "accept the terms", True),
        (CheckOutWithCoupon, ("Home", "Pickup"), "Address Work is Home", "Work"),
    ],
)
def test_a_thought_has_what_is_wanted_and_what_the_page_shows(
    decider: type[CheckOut], shown: tuple[str, str], thought: str, value: str | bool
) -> None:
    fields = [f"select Address = {shown[0]} #1", f"select Shipping = {shown[1]} #2"]
    rest = ["select Payment = Visa #3", "check I accept the terms #4"]
    params = {"address": "Work", "shipping": "Pickup", "payment": "Visa"}
    move = decider(params).decide(Page(observe(*fields, *rest, title="Checkout")))
    assert isinstance(move.action, SetValue)
    assert (move.thought, move.action.value) == (thought, value)
