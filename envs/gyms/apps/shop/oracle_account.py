"""Oracles of the tasks about orders and addresses."""

from __future__ import annotations

from envs.contract.actions import Tool
from envs.gyms.apps.shop.oracle import ShopDecider, finish, open_account_page, press
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page


class OrderDecider(ShopDecider):
    """What the tasks on one order share."""

    def open_order(self, page: Page) -> OracleMove | None:
        """The way to the order's page; None when there. Raises OracleLost."""
        number = self.params["order"]
        if page.title == "Order" and page.has_heading(f"Order {number}"):
            return None
        if page.title != "Orders":
            return open_account_page(page, "Orders")
        link = page.find_prefix("link", f"Order {number} ")
        if link is None:
            raise OracleLost(f"order {number} is not listed")
        return page.click_on(f"open {link.name}", link)


class ReturnItem(OrderDecider):
    """Requests the return of one item."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        name, reason = self.params["name"], self.params["reason"]
        if self.confirms(page, f"Return requested: {name}"):
            return finish("the return is requested")
        if page.title == "Return item" and page.has_heading(f"Return {name}"):
            move = page.select(f"reason {reason}", "Reason", reason)
            return move or press(page, "request the return", "Request return")
        thought = f"{self.params['ordinal']} is {name}"
        return self.open_order(page) or page.click(thought, "link", f"Return {name}")


class CancelOrder(OrderDecider):
    """Cancels an order."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        name = f"Cancel order {self.params['order']}"
        if self.confirms(page, f"Order cancelled: {self.params['order']}"):
            return finish("the order is cancelled")
        if page.title == "Cancel order" and page.has_heading(f"{name}?"):
            return press(page, "confirm it", "Confirm cancellation")
        return self.open_order(page) or page.click(name.lower(), "link", name)


class ReadTotal(OrderDecider):
    """Reads the total of an order."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        move = self.open_order(page)
        if move:
            return move
        total = page.text_after("Total ")
        if total is None:
            raise OracleLost("the order shows no total")
        return finish("read the total", total)


class AddressDecider(ShopDecider):
    """What the tasks on one address share."""

    def open_address(self, page: Page) -> OracleMove | None:
        """The way to the address's form, or the end; None when the form is open."""
        key = self.params["address"]
        if self.confirms(page, f"Address saved: {key}"):
            return finish("the address is saved")
        if page.title == "Edit address" and page.has_heading(f"Edit {key} address"):
            return None
        if page.title == "Addresses":
            return page.click(f"edit {key}", "link", f"Edit {key}")
        return open_account_page(page, "Addresses")


class EditAddress(AddressDecider):
    """Changes one field of an address."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        move = self.open_address(page)
        if move:
            return move
        field, value = self.params["field"], self.params["value"]
        if page.get_line("box", field).value != value:
            return page.type_into(f"{field} {value}", field, value, submit=False)
        return press(page, "save it", "Save address")


class MoveAddress(AddressDecider):
    """Changes several fields of an address in one step."""

    def decide(self, page: Page) -> OracleMove:
        """See `ShopDecider.decide`."""
        move = self.open_address(page)
        if move:
            return move
        values = self.params["fields"]
        lines = {name: page.get_line("box", name) for name in values}
        changes = {
            str(line.ref): values[name]
            for name, line in lines.items()
            if line.value != values[name]
        }
        if changes:
            tool = Tool(name="browser.fill_form", arguments={"fields": changes})
            return OracleMove(" and ".join(values.values()), tool)
        return press(page, "save it", "Save address")
