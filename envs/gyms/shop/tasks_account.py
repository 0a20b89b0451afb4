"""Templates about the cart, checkout, orders and addresses."""

from __future__ import annotations

import copy
import random

from envs.gyms.gym import State
from envs.gyms.shop import domain
from envs.gyms.shop.account import ADDRESSES, DELIVERED, PROCESSING, day_text
from envs.gyms.shop.catalogue import Catalogue, money
from envs.gyms.shop.tasks import Evidence, Params, Redraw, Template, finished, saw
from envs.gyms.shop.words import (
    CITIES,
    COUPONS,
    ORDINALS,
    PAYMENTS,
    REASONS,
    SHIPPING,
    STREETS,
)

CART = ("cart", saw("cart"))
ORDERS = ("orders", saw("orders"))
ORDER = ("order", saw("order:{order}"))


def _fill_cart(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    """Two or three lines; often two variants of one product, to punish carelessness."""
    products = rng.sample(catalogue.products, rng.randint(1, 2))
    for product in (*products, products[0]):
        pairs = [pair for pair in product.variants() if pair not in product.sold_out]
        color, size = rng.choice(pairs)
        domain.add_to_cart(catalogue, state, product.id, color, size)
    for line in state["cart"]:
        line["qty"] = rng.randint(1, 3)


def _draw_line(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    line = rng.choice(state["cart"])
    name = catalogue.by_id[line["product"]].name
    label = " ".join(part for part in (name, line["color"], line["size"]) if part)
    quantity = rng.choice([n for n in range(1, 7) if n != line["qty"]])
    return {"line": line["id"], "label": label, "quantity": quantity}


def _expect_quantity(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.set_quantity(state, params["line"], params["quantity"])
    return state


def _expect_removed(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.set_quantity(state, params["line"], 0)
    return state


def _draw_checkout(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return {
        "address": rng.choice(ADDRESSES),
        "shipping": rng.choice(sorted(SHIPPING)),
        "payment": state["payment"],
    }


def _draw_checkout_paid(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    payment = rng.choice([name for name in PAYMENTS if name != state["payment"]])
    return _draw_checkout(catalogue, rng, state) | {"payment": payment}


def _draw_coupon(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return {
        "coupon": rng.choice(sorted(COUPONS)),
        "address": "Home",
        "shipping": "Standard",
        "payment": state["payment"],
    }


def _expect_order(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    if "coupon" in params:
        domain.apply_coupon(state, params["coupon"])
    domain.place_order(
        catalogue, state, params["address"], params["shipping"], params["payment"], True
    )
    return state


def _coupon_used(evidence: Evidence) -> bool:
    coupon = evidence.params["coupon"]
    orders = evidence.after["orders"]
    return bool(evidence.after["coupon"] == coupon or orders[0]["coupon"] == coupon)


def _order_params(order: State) -> Params:
    return {"order": order["id"], "day": day_text(order["date"])}


def _draw_return(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    order = rng.choice([entry for entry in state["orders"] if entry["status"] == DELIVERED])
    index = rng.randrange(len(order["lines"]))
    line = order["lines"][index]
    return _order_params(order) | {
        "line": line["id"],
        "name": catalogue.by_id[line["product"]].name,
        "ordinal": ORDINALS[index],
        "reason": rng.choice(REASONS),
    }


def _expect_return(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.return_line(state, params["order"], params["line"], params["reason"])
    return state


def _draw_cancel(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(next(o for o in state["orders"] if o["status"] == PROCESSING))


def _expect_cancel(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.cancel_order(state, params["order"])
    return state


def _draw_total(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(rng.choice(state["orders"]))


def _draw_last(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(state["orders"][0])


def _total(catalogue: Catalogue, params: Params, before: State) -> str:
    return money(domain.order_of(before, params["order"])["total"])


def _new_value(field: str, rng: random.Random, entry: State) -> str:
    if field == "city":
        value = rng.choice(CITIES)
    elif field == "street":
        value = f"{rng.randint(1, 99)} {rng.choice(STREETS)}"
    else:
        value = str(rng.randint(10000, 99999))
    if value == entry[field]:
        raise Redraw
    return value


def _draw_field(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    entry, field = rng.choice(state["addresses"]), rng.choice(("city", "street", "zip"))
    value = _new_value(field, rng, entry)
    return {"address": entry["id"], "field": field, "value": value, "fields": {field: value}}


def _draw_move(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    entry = rng.choice(state["addresses"])
    fields = {name: _new_value(name, rng, entry) for name in ("street", "city")}
    return {"address": entry["id"], "fields": fields, **fields}


def _expect_address(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.address_of(state, params["address"]).update(params["fields"])
    return state


ACCOUNT = (
    Template(
        "quantity",
        (
            "Change the quantity of the {label} in the cart to {quantity}.",
            "Set the {label} in my cart to quantity {quantity}.",
        ),
        _draw_line,
        (CART, ("changed", finished)),
        steps=3,
        expected=_expect_quantity,
        prepare=_fill_cart,
    ),
    Template(
        "remove",
        (
            "Remove the {label} from the cart.",
            "Take the {label} out of my cart.",
        ),
        _draw_line,
        (CART, ("removed", finished)),
        steps=3,
        expected=_expect_removed,
        prepare=_fill_cart,
    ),
    Template(
        "checkout",
        (
            "Order what is in the cart, {shipping} shipping to {address}.",
            "Check out my cart: address {address}, shipping {shipping}.",
        ),
        _draw_checkout,
        (CART, ("checkout", saw("checkout")), ("ordered", finished)),
        steps=7,
        expected=_expect_order,
        prepare=_fill_cart,
    ),
    Template(
        "checkout_paid",
        (
            "Order what is in the cart, {shipping} shipping to {address}, pay by {payment}.",
            "Check out my cart: address {address}, shipping {shipping}, payment {payment}.",
        ),
        _draw_checkout_paid,
        (CART, ("checkout", saw("checkout")), ("ordered", finished)),
        steps=8,
        expected=_expect_order,
        prepare=_fill_cart,
    ),
    Template(
        "coupon_order",
        (
            "Apply the coupon {coupon} and order what is in the cart.",
            "Use coupon {coupon} and check out my cart.",
        ),
        _draw_coupon,
        (CART, ("coupon", _coupon_used), ("checkout", saw("checkout")), ("ordered", finished)),
        steps=6,
        expected=_expect_order,
        prepare=_fill_cart,
        passing=("/coupon",),
    ),
    Template(
        "return_item",
        (
            "Return the {ordinal} item of order {order}. Reason: {reason}.",
            "Send back the {ordinal} item of the order of {day}, reason {reason}.",
        ),
        _draw_return,
        (ORDERS, ORDER, ("form", saw("return:{order}:{line}")), ("returned", finished)),
        steps=7,
        expected=_expect_return,
    ),
    Template(
        "cancel_order",
        (
            "Cancel the order that has not shipped.",
            "Cancel my order that is still Processing.",
            "Cancel order {order}.",
        ),
        _draw_cancel,
        (ORDERS, ORDER, ("form", saw("cancel:{order}")), ("cancelled", finished)),
        steps=6,
        expected=_expect_cancel,
    ),
    Template(
        "order_total",
        (
            "What is the total of order {order}?",
            "How much did the order of {day} cost in total?",
        ),
        _draw_total,
        (ORDERS, ORDER, ("answered", finished)),
        steps=4,
        answer=_total,
    ),
    Template(
        "last_total",
        (
            "What is the total of my last order?",
            "How much did my newest order cost in total?",
        ),
        _draw_last,
        (ORDERS, ORDER, ("answered", finished)),
        steps=4,
        answer=_total,
    ),
    Template(
        "edit_address",
        (
            "Change the {field} of the {address} address to {value}.",
            "My {address} address has a new {field}: {value}. Update it.",
        ),
        _draw_field,
        (("form", saw("address:{address}")), ("saved", finished)),
        steps=6,
        expected=_expect_address,
    ),
    Template(
        "move_address",
        (
            "Change the {address} address to street {street}, city {city}.",
            "The {address} address moved: street {street}, city {city}. Update it.",
        ),
        _draw_move,
        (("form", saw("address:{address}")), ("saved", finished)),
        steps=6,
        expected=_expect_address,
    ),
)
