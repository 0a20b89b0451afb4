"""The text of the shop's pages as trees show it, for training a tokenizer."""

from __future__ import annotations

from envs.gyms.apps.shop.catalogue import Catalogue, format_money
from envs.gyms.apps.shop.names import (
    BRANDS,
    CATEGORIES,
    CITIES,
    COLORS,
    COUPONS,
    LINES,
    MATERIALS,
    PAYMENTS,
    PEOPLE,
    REASONS,
    SHIPPING,
    SHOP_NAMES,
    SIZES,
    STREETS,
)
from envs.gyms.apps.shop.search import PRICES, RATINGS, SORTS
from envs.gyms.apps.shop.state import format_day, make_state

SAMPLED_PRODUCTS = 40
FIXED = (
    "button Menu",
    "button Go",
    "button Find",
    "button Apply",
    "button Add to cart",
    "button Save to wish list",
    "button On your wish list",
    "button Place order",
    "button Less",
    "button More",
    "button Request return",
    "button Confirm cancellation",
    "button Save address",
    "link Account",
    "link Orders",
    "link Wish list",
    "link Addresses",
    "link Checkout",
    "link Keep order",
    "link Next page",
    "link Previous page",
    "heading Cart",
    "heading Checkout",
    "heading Account",
    "heading Orders",
    "heading Wish list",
    "heading Addresses",
    "heading Order placed",
    "heading Not found",
    "text In stock",
    "text Sold out",
    "text Your cart is empty",
    "box Search",
    "box Coupon",
    "box Quantity = 1",
    "box name",
    "box street",
    "box city",
    "box zip",
    "check I accept the terms (checked)",
    "text Sorted by Relevance",
    "text Page 1 of 3",
    "select Quantity = 1",
    "radio Blue (checked)",
)


def make_corpus(catalogue: Catalogue) -> list[str]:
    """Words, lines, and values of the shop of one seed."""
    groups: tuple[tuple[str, ...], ...] = (
        BRANDS[catalogue.split],
        tuple(CATEGORIES),
        MATERIALS,
        COLORS,
        SIZES,
        LINES,
        CITIES,
        STREETS,
        PEOPLE[catalogue.split],
        tuple(COUPONS[catalogue.split]),
        tuple(SHIPPING),
        PAYMENTS,
        REASONS,
        SHOP_NAMES[catalogue.split],
        tuple(PRICES[catalogue.split]),
        tuple(RATINGS),
        SORTS,
    )
    rng = catalogue.rng("corpus")
    texts = [f" {word}" for group in groups for word in group]
    texts += FIXED
    texts += [f"link Edit {key}" for key in catalogue.addresses]
    texts += [f"link {catalogue.name}", f"heading Welcome to {catalogue.name}"]
    for product in rng.sample(catalogue.products, SAMPLED_PRODUCTS):
        color, size = rng.choice(product.variants())
        label = " ".join(part for part in (product.name, color, size) if part)
        texts += [
            f"link {product.name} {product.price_text} #{rng.randint(1, 30)}",
            f"heading {product.name}",
            f"text {product.price_text}, {product.rating_text} stars, {product.reviews} reviews",
            f"select Color = {color} [Choose | {' | '.join(product.colors)}]",
            f"text Added to cart: {label}",
            f"heading {rng.randint(1, 40)} results for {product.material} {product.category}",
            f"button Remove {label}",
            f"box Quantity {label} = {rng.randint(1, 9)}",
        ]
    for order in make_state(catalogue)["orders"]:
        texts += [
            f"link Order {order['id']} {format_day(order['date'])} {order['status']}",
            f"text Total {format_money(order['total'])}",
        ]
    return texts
