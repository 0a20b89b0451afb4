"""Oracles of the tasks about products and the wish list."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.shop.oracle import (
    ShopDecider,
    finish,
    open_account_page,
    press,
    refuse,
)
from envs.gyms.apps.shop.search import BEST, LOWEST
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

MAX_VAIN_CHOICES = 2


class ProductDecider(ShopDecider):
    """What the tasks on the product `name` share."""

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.name: str = params["name"]
        self._vain_choices = 0

    def search_for(self, page: Page, words: str) -> OracleMove:
        """Searches by the box of the header."""
        return page.type_into(f"search for {words}", "Search", words, submit=True)

    def open_product(self, page: Page) -> OracleMove | None:
        """The way to the product; None when its page is open."""
        if page.title == "Product" and page.has_heading(self.name):
            return None
        if page.title in ("Results", "Wish list"):
            link = page.find_prefix("link", f"{self.name} $")
            if link:
                return page.click_on(f"open {self.name}", link)
        return self.search_for(page, self.name)

    def open_first_result(
        self, page: Page, words: str, filters: dict[str, str], sort: str
    ) -> OracleMove | None:
        """The way to the first result of a filtered, sorted search; None when on its page."""
        if page.title == "Product" and page.has_heading(self.name):
            return None
        if page.title != "Results" or page.get_line("box", "Search").value != words:
            return self.search_for(page, words)
        for label, value in filters.items():
            move = page.select(f"{label.lower()} {value}", label, value)
            if move:
                return move
        move = page.select(f"sort by {sort}", "Sort", sort)
        if move:
            return move
        applied = (page.text_after("Sorted by ") or "").split(", ")
        if not {sort, *filters.values()} <= set(applied):
            return press(page, "apply the filters", "Apply")
        first = page.find_prefix("link", f"{self.name} $")
        if first is None:
            raise OracleLost(f"{self.name} is not among the results")
        return page.click_on(f"first is {self.name}", first)

    def buy(self, page: Page) -> OracleMove:
        """On the product's page: chooses the variant, adds it."""
        color, size = self.params["color"], self.params["size"]
        label = " ".join(part for part in (self.name, color, size) if part)
        if self.confirms(page, f"Added to cart: {label}"):
            return finish("it is in the cart")
        move = self._choose(page, "Color", color)
        move = move or (self._choose(page, "Size", size) if size else None)
        if move:
            return move
        if page.text_after("Sold out") == "":
            return refuse("it is sold out")
        quantity = str(self.params.get("quantity", 1))
        return _set_quantity(page, quantity) or press(page, "add it to the cart", "Add to cart")

    def _choose(self, page: Page, label: str, option: str) -> OracleMove | None:
        """Chooses a variant by drop-down or radio button; None when chosen already."""
        thought = f"{label.lower()} {option}"
        dropdown = page.find("select", label)
        if dropdown is None:
            radio = page.find("radio", option)
            if radio is None:
                return refuse(f"there is no {option}")
            return None if "checked" in radio.states else page.click_on(thought, radio)
        if dropdown.options and option not in dropdown.options:
            return refuse(f"there is no {option}")
        move = page.select(thought, label, option)
        if move and not dropdown.options:
            # The tree does not list the options: if choosing fails twice, there is none.
            self._vain_choices += 1
            is_missing = self._vain_choices > MAX_VAIN_CHOICES
            return refuse(f"there is no {option}") if is_missing else move
        self._vain_choices = 0
        return move


def _set_quantity(page: Page, quantity: str) -> OracleMove | None:
    """None when it is set already."""
    thought = f"quantity {quantity}"
    if page.find("select", "Quantity"):
        return page.select(thought, "Quantity", quantity)
    if page.get_line("box", "Quantity").value == quantity:
        return None
    return page.type_into(thought, "Quantity", quantity, submit=False)


class AddToCart(ProductDecider):
    """Opens a product by its name and adds a variant, or finds that there is none."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        if self.is_confirmed:
            return finish("it is in the cart")
        return self.open_product(page) or self.buy(page)


class AddCheapest(ProductDecider):
    """Adds the first result by price."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        if self.is_confirmed:
            return finish("it is in the cart")
        filters = {"Color": self.params["color"]}
        if self.params["size"]:
            filters["Size"] = self.params["size"]
        words = self.params["words"]
        return self.open_first_result(page, words, filters, LOWEST) or self.buy(page)


class SaveBestRated(ProductDecider):
    """Puts the first result by rating on the wish list."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        if self.confirms(page, f"Saved to wish list: {self.name}"):
            return finish("it is on the wish list")
        filters = {"Price": self.params["limit"]}
        move = self.open_first_result(page, self.params["category"], filters, BEST)
        if move:
            return move
        if page.find("button", "On your wish list"):
            return finish("it is on the wish list")
        return press(page, "save it", "Save to wish list")


class RemoveWish(ProductDecider):
    """Takes a product off the wish list."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        if self.confirms(page, f"Removed from wish list: {self.name}"):
            return finish("it is removed")
        if page.title != "Wish list":
            return open_account_page(page, "Wish list")
        return press(page, f"remove {self.name}", f"Remove {self.name}")


class ReadPrice(ProductDecider):
    """Reads the price from the list of results."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        link = page.find_prefix("link", f"{self.name} $")
        if page.title not in ("Results", "Wish list") or link is None:
            return self.search_for(page, self.name)
        return finish(f"{self.name} costs", link.name.removeprefix(f"{self.name} "))
