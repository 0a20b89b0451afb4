"""The shop's rules: every way in which a session's state can change.

The app calls these functions for the customer's forms; the verifier calls the same functions to
compute the state that a task should lead to. They change the state in place, or raise `Refused`
with a sentence for the customer and leave it as it was.
"""

from __future__ import annotations

from typing import Any

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.shop.account import CANCELLED, DELIVERED, PROCESSING, today
from envs.gyms.shop.catalogue import Catalogue, Product
from envs.gyms.shop.words import COUPONS, PAYMENTS, REASONS, SHIPPING

MAX_QUANTITY = 9
MAX_LOG = 300
ADDRESS_FIELDS = ("name", "street", "city", "zip")


def note(state: State, event: str) -> None:
    """Remember what was looked at, for milestones; bounded, incidental."""
    log: list[str] = state["log"]
    if event not in log and len(log) < MAX_LOG:
        log.append(event)


def product_of(catalogue: Catalogue, product_id: str) -> Product:
    product = catalogue.by_id.get(product_id)
    if product is None:
        raise NotFound("This product does not exist")
    return product


def line_id(product: str, color: str, size: str) -> str:
    return "-".join(part for part in (product, color, size) if part)


def add_to_cart(
    catalogue: Catalogue, state: State, product_id: str, color: str, size: str, quantity: int = 1
) -> dict[str, Any]:
    """Returns the cart line; adding a variant again adds to its quantity."""
    product = product_of(catalogue, product_id)
    if color not in product.colors:
        raise Refused("Please choose a color")
    if product.sizes and size not in product.sizes:
        raise Refused("Please choose a size")
    size = size if product.sizes else ""
    if not product.left(color, size):
        raise Refused(f"{_variant_text(color, size)} is sold out")
    if not 1 <= quantity <= MAX_QUANTITY:
        raise Refused(f"Quantity must be between 1 and {MAX_QUANTITY}")
    key = line_id(product_id, color, size)
    for line in state["cart"]:
        if line["id"] == key:
            line["qty"] = min(MAX_QUANTITY, line["qty"] + quantity)
            return dict(line)
    added = {"id": key, "product": product_id, "color": color, "size": size, "qty": quantity}
    state["cart"].append(added)
    return added


def cart_line(state: State, key: str) -> dict[str, Any]:
    for line in state["cart"]:
        if line["id"] == key:
            found: dict[str, Any] = line
            return found
    raise Refused("This item is not in the cart")


def set_quantity(state: State, key: str, quantity: int) -> None:
    """Quantity 0 removes the line."""
    line = cart_line(state, key)
    if not 0 <= quantity <= MAX_QUANTITY:
        raise Refused(f"Quantity must be between 0 and {MAX_QUANTITY}")
    if quantity:
        line["qty"] = quantity
        return
    state["cart"].remove(line)
    if not state["cart"]:
        state["coupon"] = None


def apply_coupon(state: State, code: str) -> None:
    code = code.strip().upper()
    if not state["cart"]:
        raise Refused("Your cart is empty")
    if code not in COUPONS:
        raise Refused(f"Coupon {code[:20] or '(empty)'} is not valid")
    state["coupon"] = code


def cart_totals(catalogue: Catalogue, state: State, shipping: str = "") -> dict[str, int]:
    """Cents: subtotal, discount, shipping, total."""
    subtotal = sum(catalogue.by_id[line["product"]].price * line["qty"] for line in state["cart"])
    discount = subtotal * COUPONS.get(state["coupon"] or "", 0) // 100
    fee = SHIPPING.get(shipping, 0)
    return {
        "subtotal": subtotal,
        "discount": discount,
        "shipping": fee,
        "total": subtotal - discount + fee,
    }


def place_order(
    catalogue: Catalogue, state: State, address: str, shipping: str, payment: str, terms: bool
) -> str:
    """Turns the cart into an order and returns its number."""
    if not state["cart"]:
        raise Refused("Your cart is empty")
    if all(entry["id"] != address for entry in state["addresses"]):
        raise Refused("Please choose an address")
    if shipping not in SHIPPING:
        raise Refused("Please choose a shipping method")
    if payment not in PAYMENTS:
        raise Refused("Please choose a payment method")
    if not terms:
        raise Refused("Please accept the terms")
    number = str(max(int(order["id"]) for order in state["orders"]) + 1)
    order = {
        "id": number,
        "date": today(catalogue.seed).isoformat(),
        "status": PROCESSING,
        "lines": [
            {
                "id": str(index + 1),
                "product": line["product"],
                "color": line["color"],
                "size": line["size"],
                "qty": line["qty"],
                "price": catalogue.by_id[line["product"]].price,
                "returned": None,
            }
            for index, line in enumerate(state["cart"])
        ],
        "shipping": shipping,
        "address": address,
        "payment": payment,
        "coupon": state["coupon"],
        "total": cart_totals(catalogue, state, shipping)["total"],
    }
    state["orders"].insert(0, order)
    state["cart"], state["coupon"] = [], None
    return number


def order_of(state: State, number: str) -> dict[str, Any]:
    for order in state["orders"]:
        if order["id"] == number:
            found: dict[str, Any] = order
            return found
    raise NotFound("This order does not exist")


def order_line(order: dict[str, Any], key: str) -> dict[str, Any]:
    for line in order["lines"]:
        if line["id"] == key:
            found: dict[str, Any] = line
            return found
    raise NotFound("This item is not in the order")


def cancel_order(state: State, number: str) -> None:
    order = order_of(state, number)
    if order["status"] != PROCESSING:
        raise Refused("Only orders that have not shipped can be cancelled")
    order["status"] = CANCELLED


def return_line(state: State, number: str, key: str, reason: str) -> None:
    order = order_of(state, number)
    line = order_line(order, key)
    if order["status"] != DELIVERED:
        raise Refused("Only delivered orders can be returned")
    if line["returned"]:
        raise Refused("This item is already being returned")
    if reason not in REASONS:
        raise Refused("Please choose a reason")
    line["returned"] = reason


def address_of(state: State, key: str) -> dict[str, Any]:
    for entry in state["addresses"]:
        if entry["id"] == key:
            found: dict[str, Any] = entry
            return found
    raise NotFound("This address does not exist")


def edit_address(state: State, key: str, fields: dict[str, str]) -> None:
    entry = address_of(state, key)
    clean = {name: " ".join(fields.get(name, "").split()) for name in ADDRESS_FIELDS}
    for name, value in clean.items():
        if not value or len(value) > 80:
            raise Refused(f"Please enter a valid {name}")
    if not (clean["zip"].isascii() and clean["zip"].isdigit() and len(clean["zip"]) == 5):
        raise Refused("The zip must have five digits")
    entry.update(clean)


def set_wish(catalogue: Catalogue, state: State, product_id: str, wanted: bool) -> None:
    product_of(catalogue, product_id)
    kept = [entry for entry in state["wishlist"] if entry["id"] != product_id]
    if not wanted:
        state["wishlist"] = kept
    elif len(kept) == len(state["wishlist"]):
        state["wishlist"].append({"id": product_id})


def _variant_text(color: str, size: str) -> str:
    return f"{color}, {size}" if size else color
