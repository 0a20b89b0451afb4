"""The shop's site tools. Their names, arguments and docstrings are what agents are shown."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Catalogue, Product
from envs.gyms.apps.shop.search import Query, search
from envs.gyms.kit.site_tools import ToolContext, site_tool

MAX_RESULTS = 20
ShopContext = ToolContext[Catalogue]


@site_tool("shop.search")
def search_products(context: ShopContext, text: str) -> list[dict[str, Any]]:
    """Products in which every word of the text occurs, in their names or as a color, at most 20:
    id, name, price in cents."""
    matches = search(context.world, Query(text))[:MAX_RESULTS]
    for product in matches:
        context.log_event(f"listed:{product.id}")
    return [{"id": p.id, "name": p.name, "price": p.price} for p in matches]


@site_tool("shop.product")
def show_product(context: ShopContext, product: str) -> dict[str, Any]:
    """A product by its id: name, price in cents, rating in stars, and its variants, each with
    color, size ("" where there is one only) and how many are left."""
    shown = rules.get_product(context.world, product)
    context.log_event(f"view:{shown.id}")
    for color, size in sorted(shown.sold_out):
        context.log_event(f"sold_out:{shown.id}:{color}:{size}")
    return {
        "id": shown.id,
        "name": shown.name,
        "price": shown.price,
        "rating": shown.rating / 10,
        "variants": _list_variants(shown),
    }


def _list_variants(product: Product) -> list[dict[str, Any]]:
    return [
        {"color": color, "size": size, "left": product.count_left(color, size)}
        for color, size in product.variants()
    ]


@site_tool("shop.add_to_cart")
def add_to_cart(
    context: ShopContext, product: str, color: str, size: str = "", quantity: int = 1
) -> str:
    """Adds a variant of a product, by its id, to the cart."""
    line = rules.add_to_cart(context.world, context.state, product, color, size, quantity)
    return f"{line['qty']} in the cart"


@site_tool("shop.wish")
def set_wish(context: ShopContext, product: str, wished: bool = True) -> str:
    """Puts a product, by its id, on the wish list, or takes it off."""
    rules.get_product(context.world, product)
    rules.set_wish(context.world, context.state, product, is_wish=wished)
    return "done"


TOOLS = (search_products, show_product, add_to_cart, set_wish)
