"""The shop's rules: every way in which a session's state can change.

The app calls these functions for the customer's forms; the verifier calls the same functions to
compute the state that a task should lead to. They change the state in place, or raise `Refused`
with a sentence for the customer and leave it as it was.
"""

from __future__ import annotations

from envs.gyms.apps.shop.catalogue import Catalogue, Product
from envs.gyms.apps.shop.names import PAYMENTS, PERCENT_OFF, REASONS, SHIPPING
from envs.gyms.apps.shop.state import CANCELLED, DELIVERED, PROCESSING, get_today
from envs.gyms.kit.records import Item
from envs.gyms.server.gym import NotFound, Refused, State

MAX_QUANTITY = 9
MAX_FIELD = 80
ADDRESS_FIELDS = ("name", "street", "city", "zip")


def get_product(catalogue: Catalogue, product_id: str) -> Product:
    """Raises NotFound."""
    product = catalogue.by_id.get(product_id)
    if product is None:
        raise NotFound("This product does not exist")
    return product


# The cart.


def add_to_cart(
    catalogue: Catalogue, state: State, product_id: str, color: str, size: str, quantity: int = 1
) -> Item:
    """Returns the cart line; adding a variant again adds to its quantity. Raises Refused."""
    product = get_product(catalogue, product_id)
    if color not in product.colors:
        raise Refused("Please choose a color")
    if product.sizes and size not in product.sizes:
        raise Refused("Please choose a size")
    size = size if product.sizes else ""
    if not product.count_left(color, size):
        raise Refused(
            f"{f'{color}, {size}' if size else color} is sold out",
            event=f"sold_out:{product_id}:{color}:{size}",
        )
    if not 1 <= quantity <= MAX_QUANTITY:
        raise Refused(f"Quantity must be between 1 and {MAX_QUANTITY}")
    key = "-".join(part for part in (product_id, color, size) if part)
    for line in state["cart"]:
        if line["id"] == key:
            line["qty"] = min(MAX_QUANTITY, line["qty"] + quantity)
            return dict(line)
    line = {"id": key, "product": product_id, "color": color, "size": size, "qty": quantity}
    state["cart"].append(line)
    return line


def get_cart_line(state: State, key: str) -> Item:
    """Raises Refused."""
    line = _find(state["cart"], key)
    if line is None:
        raise Refused("This item is not in the cart")
    return line


def set_quantity(state: State, key: str, quantity: int) -> None:
    """Quantity 0 removes the line. Raises Refused."""
    line = get_cart_line(state, key)
    if not 0 <= quantity <= MAX_QUANTITY:
        raise Refused(f"Quantity must be between 0 and {MAX_QUANTITY}")
    if quantity:
        line["qty"] = quantity
        return
    state["cart"].remove(line)
    if not state["cart"]:
        state["coupon"] = None


def apply_coupon(state: State, code: str) -> None:
    """Raises Refused for an empty cart and an unknown code."""
    code = code.strip().upper()
    if not state["cart"]:
        raise Refused("Your cart is empty")
    if code not in PERCENT_OFF:
        raise Refused(f"Coupon {code[:20] or '(empty)'} is not valid")
    state["coupon"] = code


def add_up_cart(catalogue: Catalogue, state: State, shipping: str = "") -> dict[str, int]:
    """Cents: subtotal, discount, shipping, total."""
    subtotal = sum(catalogue.by_id[line["product"]].price * line["qty"] for line in state["cart"])
    discount = subtotal * PERCENT_OFF.get(state["coupon"] or "", 0) // 100
    fee = SHIPPING.get(shipping, 0)
    return {
        "subtotal": subtotal,
        "discount": discount,
        "shipping": fee,
        "total": subtotal - discount + fee,
    }


# Orders.


def place_order(
    catalogue: Catalogue, state: State, *, address: str, shipping: str, payment: str, terms: bool
) -> str:
    """Turns the cart into an order and returns its number. Raises Refused."""
    if not state["cart"]:
        raise Refused("Your cart is empty")
    if _find(state["addresses"], address) is None:
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
        "date": get_today(catalogue).isoformat(),
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
        "total": add_up_cart(catalogue, state, shipping)["total"],
    }
    state["orders"].insert(0, order)
    state["cart"], state["coupon"] = [], None
    return number


def get_order(state: State, number: str) -> Item:
    """Raises NotFound."""
    order = _find(state["orders"], number)
    if order is None:
        raise NotFound("This order does not exist")
    return order


def get_order_line(order: Item, key: str) -> Item:
    """Raises NotFound."""
    line = _find(order["lines"], key)
    if line is None:
        raise NotFound("This item is not in the order")
    return line


def cancel_order(state: State, number: str) -> None:
    """Raises Refused for an order that has shipped."""
    order = get_order(state, number)
    if order["status"] != PROCESSING:
        raise Refused("Only orders that have not shipped can be cancelled")
    order["status"] = CANCELLED


def return_line(state: State, number: str, key: str, reason: str) -> None:
    """Requests the return of one line of a delivered order. Raises Refused."""
    order = get_order(state, number)
    line = get_order_line(order, key)
    if order["status"] != DELIVERED:
        raise Refused("Only delivered orders can be returned")
    if line["returned"]:
        raise Refused("This item is already being returned")
    if reason not in REASONS:
        raise Refused("Please choose a reason")
    line["returned"] = reason


# Addresses and the wish list.


def get_address(state: State, key: str) -> Item:
    """Raises NotFound."""
    address = _find(state["addresses"], key)
    if address is None:
        raise NotFound("This address does not exist")
    return address


def edit_address(state: State, key: str, fields: dict[str, str]) -> None:
    """Sets all of ADDRESS_FIELDS. Raises Refused."""
    address = get_address(state, key)
    values = {name: " ".join(fields.get(name, "").split()) for name in ADDRESS_FIELDS}
    for name, value in values.items():
        if not value or len(value) > MAX_FIELD:
            raise Refused(f"Please enter a valid {name}")
    if not (values["zip"].isascii() and values["zip"].isdigit() and len(values["zip"]) == 5):
        raise Refused("The zip must have five digits")
    address.update(values)


def is_on_wish_list(state: State, product_id: str) -> bool:
    """Whether a product was saved to the wish list."""
    return _find(state["wishlist"], product_id) is not None


def set_wish(catalogue: Catalogue, state: State, product_id: str, *, is_wish: bool) -> None:
    """Puts a product on the wish list or takes it off; what is so already stays so."""
    get_product(catalogue, product_id)
    if not is_wish:
        state["wishlist"] = [entry for entry in state["wishlist"] if entry["id"] != product_id]
    elif not is_on_wish_list(state, product_id):
        state["wishlist"].append({"id": product_id})


def _find(records: list[Item], key: str) -> Item | None:
    return next((record for record in records if record["id"] == key), None)
