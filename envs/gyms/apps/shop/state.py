"""The state of one session: cart, wish list, addresses, orders of one customer.

Keys: `cart` [{id, product, color, size, qty}], `coupon`, `wishlist` [{id}], `addresses`
[{id, name, street, city, zip}], `payment`, `orders` [{id, date, status, lines, ...}]; all plain
JSON. The kit adds the incidental `log`, `flash` and `draft`.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from envs.gyms.apps.shop.catalogue import Catalogue
from envs.gyms.apps.shop.names import CITIES, PAYMENTS, PEOPLE, SHIPPING, STREETS
from envs.gyms.kit.names import number_of
from envs.gyms.server.gym import State

PROCESSING, SHIPPED, DELIVERED, CANCELLED = "Processing", "Shipped", "Delivered", "Cancelled"
FIRST_DAY = date(2026, 1, 20)


def make_state(catalogue: Catalogue) -> State:
    """Two addresses, four orders (one processing, one shipped, two delivered), an empty cart."""
    rng = catalogue.rng("account")
    name = rng.choice(PEOPLE[catalogue.split])
    addresses = [
        {
            "id": key,
            "name": name,
            "street": f"{rng.randint(1, 99)} {street}",
            "city": city,
            "zip": str(rng.randint(10000, 99999)),
        }
        for key, city, street in zip(
            catalogue.addresses, rng.sample(CITIES, 2), rng.sample(STREETS, 2), strict=True
        )
    ]
    statuses = [PROCESSING, SHIPPED, DELIVERED, DELIVERED]
    rng.shuffle(statuses)
    day = get_today(catalogue)
    orders = []
    for serial, status in zip(rng.sample(range(1000, 9000), 4), statuses, strict=True):
        day -= timedelta(days=rng.randint(2, 9))
        number = str(number_of(catalogue.seed, serial))
        orders.append(_make_order(catalogue, rng, number=number, status=status, day=day))
    return {
        "cart": [],
        "coupon": None,
        "wishlist": [],
        "addresses": addresses,
        "payment": rng.choice(PAYMENTS),
        "orders": orders,
    }


def _make_order(
    catalogue: Catalogue, rng: random.Random, *, number: str, status: str, day: date
) -> State:
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
        "address": rng.choice(catalogue.addresses),
        "payment": rng.choice(PAYMENTS),
        "coupon": None,
        "total": sum(catalogue.by_id[str(line["product"])].price for line in lines)
        + SHIPPING["Standard"],
    }


def get_today(catalogue: Catalogue) -> date:
    """The shop's own date: fixed by the seed, so that a run does not depend on the clock."""
    return FIRST_DAY + timedelta(days=catalogue.seed % 300)


def format_day(iso: str) -> str:
    """Day and short month, such as `3 Mar`."""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%b}"
