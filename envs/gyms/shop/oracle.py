"""Solves every template of the shop through the page alone.

It decides from the page it sees and the task's params; of what it did it remembers only that the
shop confirmed the goal. So it can be asked on any page, also on one that somebody else led to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envs.actions import Done, Infeasible, Scroll, SetValue, Tool
from envs.gyms.gym import OracleLost, OracleMove
from envs.gyms.shop.search import BEST, LOWEST
from envs.gyms.view import Page
from envs.observations import Observation
from envs.tasks import Task

MAX_SCROLLS = 6


class ShopOracle:
    """See `envs.gyms.gym.Oracle`. One method a template, by its name."""

    def __init__(self, task: Task) -> None:
        self._p: dict[str, Any] = task.params
        self._confirmed = False
        self._scrolls = 0
        self._vain = 0
        self._decide: Callable[[Page], OracleMove] = getattr(self, f"_{task.template}")

    def move(self, observation: Observation) -> OracleMove:
        page = Page(observation)
        try:
            move = self._decide(page)
        except OracleLost:
            if "below" not in page.tree.scroll or self._scrolls >= MAX_SCROLLS:
                raise
            self._scrolls += 1
            return OracleMove("look further down", Scroll(dy=1, unit="page"))
        self._scrolls = 0
        return move

    def _confirms(self, page: Page, message: str) -> bool:
        """Whether the shop said, now or at an earlier page, that the goal is reached."""
        self._confirmed = self._confirmed or page.says(message) == ""
        return self._confirmed

    # Products.

    def _search(self, page: Page, words: str) -> OracleMove:
        return page.write(f"search for {words}", "Search", words, submit=True)

    def _to_product(self, page: Page) -> OracleMove | None:
        """The way to the named product; None when its page is open."""
        name = self._p["name"]
        if page.title == "Product" and page.heading(name):
            return None
        if page.title in ("Results", "Wish list"):
            link = page.find_prefix("link", f"{name} $")
            if link:
                return page.click_on(f"open {name}", link)
        return self._search(page, name)

    def _to_first(
        self, page: Page, words: str, filters: dict[str, str], sort: str
    ) -> OracleMove | None:
        """The way to the first result of a filtered, sorted search; None when on its page."""
        name = self._p["name"]
        if page.title == "Product" and page.heading(name):
            return None
        if page.title != "Results" or page.need("box", "Search").value != words:
            return self._search(page, words)
        for label, value in filters.items():
            move = page.select(f"{label.lower()} {value}", label, value)
            if move:
                return move
        move = page.select(f"sort by {sort}", "Sort", sort)
        if move:
            return move
        applied = (page.says("Sorted by ") or "").split(", ")
        if not {sort, *filters.values()} <= set(applied):
            return page.click("apply the filters", "button", "Apply")
        first = page.find_prefix("link", f"{name} $")
        if first is None:
            raise OracleLost(f"{name} is not among the results")
        return page.click_on(f"first is {name}", first)

    def _choose(self, page: Page, label: str, option: str) -> OracleMove | None:
        """Chooses a variant by drop-down or radio button; None when chosen already."""
        thought = f"{label.lower()} {option}"
        dropdown = page.find("select", label)
        if dropdown is not None:
            if dropdown.options and option not in dropdown.options:
                return _refuse(f"there is no {option}")
            move = page.select(thought, label, option)
            if move and not dropdown.options:
                # The tree does not list the options: twice in vain means there is none.
                self._vain += 1
                return move if self._vain <= 2 else _refuse(f"there is no {option}")
            self._vain = 0
            return move
        radio = page.find("radio", option)
        if radio is None:
            return _refuse(f"there is no {option}")
        return None if "checked" in radio.states else page.click_on(thought, radio)

    def _buy(self, page: Page) -> OracleMove:
        """On the product's page: choose the variant, add it."""
        color, size = self._p["color"], self._p["size"]
        label = " ".join(part for part in (self._p["name"], color, size) if part)
        if self._confirms(page, f"Added to cart: {label}"):
            return _done("it is in the cart")
        move = self._choose(page, "Color", color)
        move = move or (self._choose(page, "Size", size) if size else None)
        if move:
            return move
        if page.says("Sold out") == "":
            return _refuse("it is sold out")
        quantity = str(self._p.get("quantity", 1))
        return self._set_quantity(page, "Quantity", quantity) or page.click(
            "add it to the cart", "button", "Add to cart"
        )

    def _set_quantity(self, page: Page, name: str, quantity: str) -> OracleMove | None:
        thought = f"quantity {quantity}"
        if page.find("select", name):
            return page.select(thought, name, quantity)
        if page.need("box", name).value == quantity:
            return None
        return page.write(thought, name, quantity, submit=False)

    def _add_sized(self, page: Page) -> OracleMove:
        if self._confirmed:
            return _done("it is in the cart")
        return self._to_product(page) or self._buy(page)

    _add_plain = _add_several = _missing_color = _sold_out = _add_sized

    def _cheapest(self, page: Page) -> OracleMove:
        if self._confirmed:
            return _done("it is in the cart")
        filters = {"Color": self._p["color"]}
        if self._p["size"]:
            filters["Size"] = self._p["size"]
        return self._to_first(page, self._p["words"], filters, LOWEST) or self._buy(page)

    _cheapest_sized = _cheapest

    def _best_rated(self, page: Page) -> OracleMove:
        name = self._p["name"]
        if self._confirms(page, f"Saved to wish list: {name}"):
            return _done("it is on the wish list")
        filters = {"Price": self._p["limit"]}
        move = self._to_first(page, self._p["category"], filters, BEST)
        if move:
            return move
        if page.find("button", "On your wish list"):
            return _done("it is on the wish list")
        return page.click("save it", "button", "Save to wish list")

    def _unwish(self, page: Page) -> OracleMove:
        name = self._p["name"]
        if self._confirms(page, f"Removed from wish list: {name}"):
            return _done("it is removed")
        if page.title != "Wish list":
            return self._to_account(page, "Wish list")
        return page.click(f"remove {name}", "button", f"Remove {name}")

    def _price(self, page: Page) -> OracleMove:
        name = self._p["name"]
        link = page.find_prefix("link", f"{name} $")
        if page.title not in ("Results", "Wish list") or link is None:
            return self._search(page, name)
        return _done(f"{name} costs", link.name.removeprefix(f"{name} "))

    # Cart and checkout.

    def _cart(self, page: Page) -> OracleMove:
        link = page.find_prefix("link", "Cart (")
        if link is None:
            raise OracleLost(f"no link to the cart on page {page.title!r}")
        return page.click_on("open the cart", link)

    def _quantity(self, page: Page) -> OracleMove:
        label, quantity = self._p["label"], str(self._p["quantity"])
        if self._confirms(page, f"Quantity changed: {label}"):
            return _done("the quantity is changed")
        if page.title != "Cart":
            return self._cart(page)
        name, thought = f"Quantity {label}", f"quantity {quantity}"
        if page.find("select", name):
            return page.select(thought, name, quantity) or _done("the quantity is changed")
        return page.write(thought, name, quantity, submit=True)

    def _remove(self, page: Page) -> OracleMove:
        label = self._p["label"]
        if self._confirms(page, f"Removed: {label}"):
            return _done("it is removed")
        if page.title != "Cart":
            return self._cart(page)
        return page.click(f"remove {label}", "button", f"Remove {label}")

    def _checkout(self, page: Page) -> OracleMove:
        if page.title == "Order placed" or self._confirmed:
            self._confirmed = True
            return _done("the order is placed")
        coupon = self._p.get("coupon")
        if page.title == "Checkout":
            if coupon and not any(f"coupon {coupon}" in line.name for line in page.lines):
                return self._cart(page)
            return self._fill_checkout(page)
        if page.title != "Cart":
            return self._cart(page)
        if coupon and page.says(f"Coupon {coupon} saves") is None:
            return page.write(f"coupon {coupon}", "Coupon", coupon, submit=True)
        return page.click("go to checkout", "link", "Checkout")

    _checkout_paid = _coupon_order = _checkout

    def _fill_checkout(self, page: Page) -> OracleMove:
        for label in ("Address", "Shipping", "Payment"):
            value = self._p[label.lower()]
            move = page.select(f"{label.lower()} {value}", label, value)
            if move:
                return move
        terms = page.need("check", "I accept the terms")
        if "checked" not in terms.states:
            return OracleMove("accept the terms", SetValue(target=page.target(terms), value=True))
        return page.click("place the order", "button", "Place order")

    # Account.

    def _to_account(self, page: Page, name: str) -> OracleMove:
        """The way to a page of the account: a link in sight, in the menu, or on its front page."""
        if page.find("link", name):
            return page.click(f"open {name}", "link", name)
        if page.find("button", "Menu"):
            return page.click("open the menu", "button", "Menu")
        return page.click("open the account", "link", "Account")

    def _to_order(self, page: Page) -> OracleMove | None:
        """The way to the order's page; None when there."""
        number = self._p["order"]
        if page.title == "Order" and page.heading(f"Order {number}"):
            return None
        if page.title != "Orders":
            return self._to_account(page, "Orders")
        link = page.find_prefix("link", f"Order {number} ")
        if link is None:
            raise OracleLost(f"order {number} is not listed")
        return page.click_on(f"open {link.name}", link)

    def _return_item(self, page: Page) -> OracleMove:
        name, reason = self._p["name"], self._p["reason"]
        if self._confirms(page, f"Return requested: {name}"):
            return _done("the return is requested")
        if page.title == "Return item" and page.heading(f"Return {name}"):
            return page.select(f"reason {reason}", "Reason", reason) or page.click(
                "request the return", "button", "Request return"
            )
        return self._to_order(page) or page.click(
            f"{self._p['ordinal']} is {name}", "link", f"Return {name}"
        )

    def _cancel_order(self, page: Page) -> OracleMove:
        number = self._p["order"]
        if self._confirms(page, f"Order cancelled: {number}"):
            return _done("the order is cancelled")
        if page.title == "Cancel order" and page.heading(f"Cancel order {number}?"):
            return page.click("confirm it", "button", "Confirm cancellation")
        return self._to_order(page) or page.click(
            f"cancel order {number}", "link", f"Cancel order {number}"
        )

    def _order_total(self, page: Page) -> OracleMove:
        move = self._to_order(page)
        if move:
            return move
        total = page.says("Total ")
        if total is None:
            raise OracleLost("the order shows no total")
        return _done("read the total", total)

    _last_total = _order_total

    def _to_address(self, page: Page) -> OracleMove | None:
        key = self._p["address"]
        if self._confirms(page, f"Address saved: {key}"):
            return _done("the address is saved")
        if page.title == "Edit address" and page.heading(f"Edit {key} address"):
            return None
        if page.title == "Addresses":
            return page.click(f"edit {key}", "link", f"Edit {key}")
        return self._to_account(page, "Addresses")

    def _edit_address(self, page: Page) -> OracleMove:
        move = self._to_address(page)
        if move:
            return move
        field, value = self._p["field"], self._p["value"]
        if page.need("box", field).value != value:
            return page.write(f"{field} {value}", field, value, submit=False)
        return page.click("save it", "button", "Save address")

    def _move_address(self, page: Page) -> OracleMove:
        move = self._to_address(page)
        if move:
            return move
        wanted = {page.need("box", name): text for name, text in self._p["fields"].items()}
        fields = {str(line.ref): text for line, text in wanted.items() if line.value != text}
        if fields:
            return OracleMove(
                " and ".join(self._p["fields"].values()),
                Tool(name="browser.fill_form", arguments={"fields": fields}),
            )
        return page.click("save it", "button", "Save address")


def _done(thought: str, answer: str | None = None) -> OracleMove:
    return OracleMove(thought, Done(answer=answer))


def _refuse(thought: str) -> OracleMove:
    return OracleMove(thought, Infeasible(reason=thought))
