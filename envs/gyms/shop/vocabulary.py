"""The text of the shop's pages as trees show it, for training a tokenizer."""

from __future__ import annotations

import random

from envs.gyms.shop.account import day_text, fresh_state
from envs.gyms.shop.catalogue import Catalogue, money
from envs.gyms.shop.search import PRICES, RATINGS, SORTS
from envs.gyms.shop.words import (
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

FIXED = (
    "button Menu", "button Go", "button Find", "button Apply", "button Add to cart",
    "button Save to wish list", "button On your wish list", "button Place order", "button Less",
    "button More", "button Request return", "button Confirm cancellation", "button Save address",
    "link Account", "link Orders", "link Wish list", "link Addresses", "link Checkout",
    "link Keep order", "link Next page", "link Previous page", "link Edit Home", "link Edit Work",
    "heading Cart", "heading Checkout", "heading Account", "heading Orders", "heading Wish list",
    "heading Addresses", "heading Order placed", "heading Not found", "text In stock",
    "text Sold out", "text Your cart is empty", "box Search", "box Coupon", "box Quantity = 1",
    "box name", "box street", "box city", "box zip", "check I accept the terms (checked)",
    "text Sorted by Relevance", "text Page 1 of 3", "select Quantity = 1", "radio Blue (checked)",
)  # fmt: skip


def words_of(catalogue: Catalogue, rng: random.Random) -> list[str]:
    """Words, lines, and values of the shop of one seed."""
    groups: tuple[tuple[str, ...], ...] = (
        BRANDS, tuple(CATEGORIES), MATERIALS, COLORS, SIZES, LINES, CITIES, STREETS, PEOPLE,
        tuple(COUPONS), tuple(SHIPPING), PAYMENTS, REASONS, SHOP_NAMES, tuple(PRICES),
        tuple(RATINGS), SORTS,
    )  # fmt: skip
    texts = [f" {word}" for group in groups for word in group]
    texts += FIXED
    texts += [f"link {catalogue.look.name}", f"heading Welcome to {catalogue.look.name}"]
    for product in rng.sample(catalogue.products, 40):
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
    for order in fresh_state(catalogue.seed)["orders"]:
        texts += [
            f"link Order {order['id']} {day_text(order['date'])} {order['status']}",
            f"text Total {money(order['total'])}",
        ]
    return texts
