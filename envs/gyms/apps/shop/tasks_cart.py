"""Templates about the cart and the checkout."""

from __future__ import annotations

import random

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Catalogue
from envs.gyms.apps.shop.names import COUPONS, PAYMENTS, SHIPPING
from envs.gyms.apps.shop.oracle import solve_with
from envs.gyms.apps.shop.oracle_cart import (
    CheckOut,
    CheckOutPaying,
    CheckOutWithCoupon,
    RemoveLine,
    SetQuantity,
)
from envs.gyms.kit.template import Params, TaskStates, Template, is_success, visited_page
from envs.gyms.server.gym import State

CART = ("cart", visited_page("cart"))
CHECKOUT = ("checkout", visited_page("checkout"))
ORDERED = ("ordered", is_success)


def _prepare_cart(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    """Two or three lines; often two variants of one product, to punish carelessness."""
    products = rng.sample(catalogue.products, rng.randint(1, 2))
    for product in (*products, products[0]):
        color, size = rng.choice(product.variants_in_stock())
        rules.add_to_cart(catalogue, state, product.id, color, size)
    for line in state["cart"]:
        line["qty"] = rng.randint(1, 3)


def _sample_line(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    line = rng.choice(state["cart"])
    name = catalogue.by_id[line["product"]].name
    label = " ".join(part for part in (name, line["color"], line["size"]) if part)
    quantity = rng.choice([n for n in range(1, 7) if n != line["qty"]])
    return {"line": line["id"], "label": label, "quantity": quantity}


def _apply_quantity(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.set_quantity(state, p["line"], p["quantity"])


def _apply_removed(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.set_quantity(state, p["line"], 0)


def _sample_checkout(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return {
        "address": rng.choice(catalogue.addresses),
        "shipping": rng.choice(sorted(SHIPPING)),
        "payment": state["payment"],
    }


def _sample_checkout_paid(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    payment = rng.choice([name for name in PAYMENTS if name != state["payment"]])
    return _sample_checkout(catalogue, rng, state) | {"payment": payment}


def _sample_coupon(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return {
        "coupon": rng.choice(sorted(COUPONS[catalogue.split])),
        "address": catalogue.addresses[0],
        "shipping": "Standard",
        "payment": state["payment"],
    }


def _apply_order(catalogue: Catalogue, p: Params, state: State) -> None:
    if "coupon" in p:
        rules.apply_coupon(state, p["coupon"])
    rules.place_order(
        catalogue,
        state,
        address=p["address"],
        shipping=p["shipping"],
        payment=p["payment"],
        terms=True,
    )


def _has_used_coupon(states: TaskStates) -> bool:
    coupon, after = states.params["coupon"], states.after
    return bool(after["coupon"] == coupon or after["orders"][0]["coupon"] == coupon)


CART_TEMPLATES: tuple[Template[Catalogue], ...] = (
    Template(
        name="quantity",
        skills=("form",),
        oracle_steps=3,
        phrasings=(
            "Change the quantity of the {label} in the cart to {quantity}.",
            "Set the {label} in my cart to quantity {quantity}.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_line,
        solve=solve_with(SetQuantity),
        apply_expected=_apply_quantity,
        milestones=(CART, ("changed", is_success)),
    ),
    Template(
        name="remove",
        skills=("form",),
        oracle_steps=3,
        phrasings=(
            "Remove the {label} from the cart.",
            "Take the {label} out of my cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_line,
        solve=solve_with(RemoveLine),
        apply_expected=_apply_removed,
        milestones=(CART, ("removed", is_success)),
    ),
    Template(
        name="checkout",
        skills=("form", "multi-step"),
        oracle_steps=7,
        phrasings=(
            "Order what is in the cart, {shipping} shipping to {address}.",
            "Check out my cart: address {address}, shipping {shipping}.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_checkout,
        solve=solve_with(CheckOut),
        apply_expected=_apply_order,
        milestones=(CART, CHECKOUT, ORDERED),
    ),
    Template(
        name="checkout_paid",
        skills=("form", "multi-step"),
        oracle_steps=8,
        phrasings=(
            "Order what is in the cart, {shipping} shipping to {address}, pay by {payment}.",
            "Check out my cart: address {address}, shipping {shipping}, payment {payment}.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_checkout_paid,
        solve=solve_with(CheckOutPaying),
        apply_expected=_apply_order,
        milestones=(CART, CHECKOUT, ORDERED),
    ),
    Template(
        name="coupon_order",
        skills=("form", "multi-step"),
        oracle_steps=6,
        phrasings=(
            "Apply the coupon {coupon} and order what is in the cart.",
            "Use coupon {coupon} and check out my cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_coupon,
        solve=solve_with(CheckOutWithCoupon),
        apply_expected=_apply_order,
        transient_paths=("/coupon",),
        milestones=(CART, ("coupon", _has_used_coupon), CHECKOUT, ORDERED),
    ),
)
