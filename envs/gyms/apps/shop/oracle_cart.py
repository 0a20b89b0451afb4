"""Oracles of the tasks about the cart and the checkout."""

from __future__ import annotations

from typing import Any, ClassVar

from envs.contract.actions import SetValue
from envs.gyms.apps.shop.oracle import ShopDecider, finish, open_cart, press
from envs.gyms.server.gym import OracleMove
from envs.gyms.server.view import Page


class SetQuantity(ShopDecider):
    """Changes the quantity of a line in the cart."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        label, quantity = self.params["label"], str(self.params["quantity"])
        if self.confirms(page, f"Quantity changed: {label}"):
            return finish("the quantity is changed")
        if page.title != "Cart":
            return open_cart(page)
        name, thought = f"Quantity {label}", f"quantity {quantity}"
        if page.find("select", name):
            move = page.select(thought, name, quantity)
            return move or finish("the quantity is changed")
        return page.type_into(thought, name, quantity, submit=True)


class RemoveLine(ShopDecider):
    """Removes a line from the cart."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        label = self.params["label"]
        if self.confirms(page, f"Removed: {label}"):
            return finish("it is removed")
        if page.title != "Cart":
            return open_cart(page)
        return press(page, f"remove {label}", f"Remove {label}")


class CheckOut(ShopDecider):
    """Orders what is in the cart, with a coupon if the task names one."""

    named: ClassVar[tuple[str, ...]] = ("Address", "Shipping")
    """Fields that the task has a value for. Each is set once, whatever it shows: who would leave
    one as it is has to compare two names first."""

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._set: set[str] = set()

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        if page.title == "Order placed" or self.is_confirmed:
            self.is_confirmed = True
            return finish("the order is placed")
        coupon = self.params.get("coupon")
        if page.title == "Checkout":
            if coupon and not any(f"coupon {coupon}" in line.name for line in page.lines):
                return open_cart(page)
            return self._fill_in_checkout(page)
        if page.title != "Cart":
            return open_cart(page)
        if coupon and page.text_after(f"Coupon {coupon} saves") is None:
            return page.type_into(f"coupon {coupon}", "Coupon", coupon, submit=True)
        return page.click("go to checkout", "link", "Checkout")

    def _fill_in_checkout(self, page: Page) -> OracleMove:
        for label in ("Address", "Shipping", "Payment"):
            value, line = self.params[label.lower()], page.get_line("select", label)
            thought = f"set {label.lower()}"
            if label in self.named and label not in self._set:
                self._set.add(label)
            elif line.value != value:
                # Somebody else may have changed it, also where the task leaves it as it is.
                thought = f"{label} {value} is {line.value}"
            else:
                continue
            return OracleMove(thought, SetValue(target=page.target(line), value=value))
        terms = page.get_line("check", "I accept the terms")
        if "checked" not in terms.states:
            target = page.target(terms)
            return OracleMove("accept the terms", SetValue(target=target, value=True))
        return press(page, "place the order", "Place order")


class CheckOutPaying(CheckOut):
    """The task says by what."""

    named = ("Address", "Shipping", "Payment")


class CheckOutWithCoupon(CheckOut):
    """The task leaves the fields as they are."""

    named = ()
