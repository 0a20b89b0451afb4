"""The shop as an app: its world, state and pages."""

from __future__ import annotations

import random

from envs.gyms.apps.shop import account_pages, cart_pages, product_pages, rules, tools
from envs.gyms.apps.shop.catalogue import Catalogue, get_catalogue
from envs.gyms.apps.shop.corpus import make_corpus
from envs.gyms.apps.shop.frame import render_not_found
from envs.gyms.apps.shop.state import CANCELLED, make_state
from envs.gyms.kit.app import App
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    catalogue = get_catalogue(rng.randrange(10**6))
    others = [p for p in catalogue.products if not rules.is_on_wish_list(state, p.id)]
    rules.set_wish(catalogue, state, rng.choice(others).id, is_wish=True)


def _list_names(catalogue: Catalogue, state: State) -> dict[str, list[str]]:
    return {
        "products": [product.name for product in catalogue.products],
        "brands": [product.brand for product in catalogue.products],
        "firms": [catalogue.name],
        "people": [address["name"] for address in state["addresses"]],
    }


SHOP: App[Catalogue] = App(
    name="shop",
    title="Shop",
    nav=(
        ("Home", "/"),
        ("Cart", "/cart"),
        ("Orders", "/orders"),
        ("Wish list", "/wishlist"),
        ("Addresses", "/addresses"),
        ("Account", "/account"),
    ),
    make_world=get_catalogue,
    make_state=make_state,
    make_stray_change=_make_stray_change,
    make_corpus=make_corpus,
    owns_session_state=True,
    render_not_found=render_not_found,
    confirmations=(
        "Added to cart: ",
        "Saved to wish list: ",
        "Removed from wish list: ",
        "Quantity changed: ",
        "Removed: ",
        "Coupon applied: ",
        "Order cancelled: ",
        "Return requested: ",
        "Address saved: ",
    ),
    tools=tools.TOOLS,
    numbered=("orders", "lines"),
    list_names=_list_names,
    is_withdrawn=lambda kind, record: kind == "orders" and record["status"] == CANCELLED,
    pages=(*product_pages.PAGES, *cart_pages.PAGES, *account_pages.PAGES),
)
