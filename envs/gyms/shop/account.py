"""The state of one session: cart, wish list, addresses, orders of one customer.

Keys: `cart` [{id, product, color, size, qty}], `coupon`, `wishlist` [{id}], `addresses`
[{id, name, street, city, zip}], `payment`, `orders` [{id, date, status, lines, ...}], and the
incidental `log` (what was looked at, for milestones), `flash` (a message shown once) and `draft`
(what a refused form held). All plain JSON.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import lru_cache

import orjson

from envs.gyms.gym import State
from envs.gyms.shop.catalogue import Catalogue, hydrate
from envs.gyms.shop.words import CITIES, PAYMENTS, PEOPLE, SHIPPING, STREETS

INCIDENTAL = ("/log*", "/flash", "/draft*")
"""Paths that looking around may change: never part of what a task asks."""
ADDRESSES = ("Home", "Work")
PROCESSING, SHIPPED, DELIVERED, CANCELLED = "Processing", "Shipped", "Delivered", "Cancelled"


def fresh_state(seed: int) -> State:
    """Two addresses, four orders (one processing, one shipped, two delivered), an empty cart."""
    state: State = orjson.loads(_fresh(seed))
    return state


@lru_cache(maxsize=256)
def _fresh(seed: int) -> bytes:
    catalogue = hydrate(seed)
    rng = random.Random(f"account:{seed}")
    name = rng.choice(PEOPLE)
    addresses = [
        {
            "id": key,
            "name": name,
            "street": f"{rng.randint(1, 99)} {street}",
            "city": city,
            "zip": str(rng.randint(10000, 99999)),
        }
        for key, city, street in zip(
            ADDRESSES, rng.sample(CITIES, 2), rng.sample(STREETS, 2), strict=True
        )
    ]
    statuses = [PROCESSING, SHIPPED, DELIVERED, DELIVERED]
    rng.shuffle(statuses)
    day = today(seed)
    orders = []
    for number, status in zip(rng.sample(range(1000, 9000), 4), statuses, strict=True):
        day -= timedelta(days=rng.randint(2, 9))
        orders.append(_order(catalogue, rng, str(number), status, day))
    return orjson.dumps(
        {
            "cart": [],
            "coupon": None,
            "wishlist": [],
            "addresses": addresses,
            "payment": rng.choice(PAYMENTS),
            "orders": orders,
            "log": [],
            "flash": None,
            "draft": None,
        }
    )


def _order(
    catalogue: Catalogue, rng: random.Random, number: str, status: str, day: date
) -> dict[str, object]:
    lines = []
    for index, product in enumerate(rng.sample(catalogue.products, rng.randint(2, 3))):
        color, size = rng.choice(product.variants())
        lines.append(
            {
                "id": str(index + 1),
                "product": product.id,
                "color": color,
                "size": size,
                "qty": 1,
                "price": product.price,
                "returned": None,
            }
        )
    return {
        "id": number,
        "date": day.isoformat(),
        "status": status,
        "lines": lines,
        "shipping": "Standard",
        "address": rng.choice(ADDRESSES),
        "payment": rng.choice(PAYMENTS),
        "coupon": None,
        "total": sum(catalogue.by_id[str(line["product"])].price for line in lines)
        + SHIPPING["Standard"],
    }


def today(seed: int) -> date:
    """The shop's own date: a fixed one per seed, so that a run does not depend on the clock."""
    return date(2026, 1, 20) + timedelta(days=seed % 300)


def day_text(iso: str) -> str:
    """3 Mar"""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%b}"
