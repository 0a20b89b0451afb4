"""Oracles of the tasks about the cart and the checkout."""

from __future__ import annotations

from typing import ClassVar

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
    """Fields that the task has a value for. Thoughts hold the wanted and the shown one, for the
    next action follows from whether they differ."""

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
        evidence: list[str] = []
        for label in ("Address", "Shipping", "Payment"):
            value = self.params[label.lower()]
            shown = page.get_line("select", label).value
            # Somebody else may have changed a field that the task leaves as it is.
            if label in self.named or shown != value:
                evidence.append(f"{label} {value} is {shown}")
            move = page.select(", ".join(evidence), label, value)
            if move:
                return move
        terms = page.get_line("check", "I accept the terms")
        if "checked" not in terms.states:
            thought = ", ".join(evidence) or "accept the terms"
            return OracleMove(thought, SetValue(target=page.target(terms), value=True))
        return press(page, "place the order", "Place order")


class CheckOutPaying(CheckOut):
    """The task says by what."""

    named = ("Address", "Shipping", "Payment")


class CheckOutWithCoupon(CheckOut):
    """The task leaves the fields as they are."""

    named = ()
