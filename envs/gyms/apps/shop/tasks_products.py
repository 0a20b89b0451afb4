"""Templates about products and the wish list: find, compare, choose a variant, add."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Catalogue, Product
from envs.gyms.apps.shop.names import CATEGORIES, COLORS
from envs.gyms.apps.shop.oracle import solve_with
from envs.gyms.apps.shop.oracle_products import (
    AddCheapest,
    AddToCart,
    ReadPrice,
    RemoveWish,
    SaveBestRated,
)
from envs.gyms.apps.shop.search import BEST, LOWEST, PRICES, Query, search
from envs.gyms.kit.template import (
    Params,
    Resample,
    TaskStates,
    Template,
    is_success,
    visited_page,
)
from envs.gyms.server.gym import State

FOUND = ("found", visited_page("view:{product}"))
LISTED = ("listed", visited_page("listed:{product}"))
IN_CART = ("in_cart", is_success)
REFUSED = ("refused", is_success)
CART_SHARE = 0.4
"""Share of the tasks in which the cart holds something that has to stay there."""


def _variant_params(product: Product, color: str, size: str) -> Params:
    return {"product": product.id, "name": product.name, "color": color, "size": size}


def _require_not_in_cart(state: State, params: Params) -> Params:
    if any(line["product"] == params["product"] for line in state["cart"]):
        raise Resample("the product is in the cart already")
    return params


def _sample_sized(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes])
    params = _variant_params(product, *rng.choice(product.variants_in_stock()))
    return _require_not_in_cart(state, params)


def _sample_plain(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if not p.sizes])
    params = _variant_params(product, *rng.choice(product.variants_in_stock()))
    return _require_not_in_cart(state, params)


def _sample_several(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _sample_plain(catalogue, rng, state) | {"quantity": rng.randint(2, 5)}


def _sample_cheapest(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    sized = {product.category for product in catalogue.products if product.sizes}
    category = rng.choice([c for c in catalogue.categories if c not in sized])
    query = Query(category, color=rng.choice(_list_asked_colors(catalogue, category)))
    return _cheapest_params(catalogue, state, query, category)


def _sample_cheapest_sized(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes])
    color, size = rng.choice(product.variants_in_stock())
    if color not in _list_asked_colors(catalogue, product.category):
        raise Resample("another split asks for this color of the category")
    query = Query(f"{product.material} {product.category}", color=color, size=size)
    params = _cheapest_params(catalogue, state, query, product.category)
    return params | {"material": product.material}


def _list_asked_colors(catalogue: Catalogue, category: str) -> list[str]:
    """The colors in which a split asks for something of a category without a name: each pair of
    both is asked for in one split only."""
    shift = list(CATEGORIES).index(category) + list(SPLIT_BASES).index(catalogue.split)
    return [color for place, color in enumerate(COLORS, shift) if place % len(SPLIT_BASES) == 0]


def _cheapest_params(catalogue: Catalogue, state: State, query: Query, category: str) -> Params:
    """At least two to choose from, and no cheaper one that is only sold out."""
    matches = search(catalogue, Query(query.text, sort=LOWEST))
    offered = [product for product in matches if query.color in product.colors]
    if len(offered) < 2 or not offered[0].count_left(query.color, query.size):
        raise Resample("the cheapest is sold out, or there is no other")
    params = _variant_params(offered[0], query.color, query.size)
    return _require_not_in_cart(state, params | {"category": category, "words": query.text})


def _sample_best_rated(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    """The best one has to differ from the best one without the price limit."""
    category, limit = rng.choice(catalogue.categories), rng.choice(list(PRICES[catalogue.split]))
    matches = search(catalogue, Query(category, price=limit, sort=BEST))
    if len(matches) < 3 or matches[0].rating == matches[1].rating:
        raise Resample("no single product is the best rated")
    best = matches[0]
    if rules.is_on_wish_list(state, best.id):
        raise Resample("the product is on the wish list already")
    if search(catalogue, Query(category, sort=BEST))[0].id == best.id:
        raise Resample("the price limit makes no difference")
    return {"category": category, "limit": limit, "product": best.id, "name": best.name}


def _sample_missing_color(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice(catalogue.products)
    _, size = rng.choice(product.variants_in_stock())
    color = rng.choice([color for color in COLORS if color not in product.colors])
    where = f"{color}, size {size}," if size else color
    return _variant_params(product, color, size) | {"where": where}


def _sample_sold_out(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes and p.sold_out])
    return _variant_params(product, *rng.choice(sorted(product.sold_out)))


def _sample_wish(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = catalogue.by_id[rng.choice(state["wishlist"])["id"]]
    return {"product": product.id, "name": product.name}


def _prepare_cart(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    """Sometimes something is in the cart already."""
    if rng.random() < CART_SHARE:
        product = rng.choice(catalogue.products)
        color, size = rng.choice(product.variants_in_stock())
        rules.add_to_cart(catalogue, state, product.id, color, size)


def _prepare_wishes(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    for product in rng.sample(catalogue.products, rng.randint(2, 4)):
        rules.set_wish(catalogue, state, product.id, is_wish=True)


def _apply_added(catalogue: Catalogue, p: Params, state: State) -> None:
    quantity = p.get("quantity", 1)
    rules.add_to_cart(catalogue, state, p["product"], p["color"], p["size"], quantity)


def _apply_wish(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.set_wish(catalogue, state, p["product"], is_wish=True)


def _apply_no_wish(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.set_wish(catalogue, state, p["product"], is_wish=False)


def _get_price(catalogue: Catalogue, p: Params, before: State) -> str:
    return catalogue.by_id[p["product"]].price_text


def _has_product_in_cart(states: TaskStates) -> bool:
    product = states.params["product"]
    return any(line["product"] == product for line in states.after["cart"])


def _make_add_calls(p: Params) -> list[Tool]:
    """Finds the product by its name, as the milestones ask, and adds the variant."""
    variant = {key: p[key] for key in ("product", "color", "size")}
    return [
        Tool(name="shop.search", arguments={"text": p["name"]}),
        Tool(name="shop.product", arguments={"product": p["product"]}),
        Tool(name="shop.add_to_cart", arguments=variant | {"quantity": p.get("quantity", 1)}),
    ]


PRODUCT_TEMPLATES: tuple[Template[Catalogue], ...] = (
    Template(
        name="add_sized",
        skills=("search", "form"),
        oracle_steps=6,
        phrasings=(
            "Add the {name} in {color}, size {size}, to the cart.",
            "Put the {color} {name} in size {size} in my cart.",
            "I need the {name}, color {color}, size {size}. Add it to the cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_sized,
        solve=solve_with(AddToCart),
        apply_expected=_apply_added,
        tool_calls=_make_add_calls,
        milestones=(LISTED, FOUND, IN_CART),
    ),
    Template(
        name="add_plain",
        skills=("search", "form"),
        oracle_steps=5,
        phrasings=(
            "Add the {name} in {color} to the cart.",
            "Put the {color} {name} in my cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_plain,
        solve=solve_with(AddToCart),
        apply_expected=_apply_added,
        tool_calls=_make_add_calls,
        milestones=(LISTED, FOUND, IN_CART),
    ),
    Template(
        name="add_several",
        skills=("search", "form"),
        oracle_steps=6,
        phrasings=(
            "Add {quantity} of the {name} in {color} to the cart.",
            "I need the {name} in {color}, quantity {quantity}. Add them to the cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_several,
        solve=solve_with(AddToCart),
        apply_expected=_apply_added,
        tool_calls=_make_add_calls,
        milestones=(LISTED, FOUND, ("product", _has_product_in_cart), IN_CART),
    ),
    Template(
        name="cheapest",
        skills=("search", "filter", "sort", "form"),
        oracle_steps=7,
        phrasings=(
            "Add the cheapest {category} in {color} to the cart.",
            "Put the cheapest {color} {category} in my cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_cheapest,
        solve=solve_with(AddCheapest),
        apply_expected=_apply_added,
        milestones=(LISTED, FOUND, IN_CART),
    ),
    Template(
        name="cheapest_sized",
        skills=("search", "filter", "sort", "form"),
        oracle_steps=8,
        phrasings=(
            "Add the cheapest {color} {material} {category} in size {size} to the cart.",
            "I want the cheapest {material} {category} in {color}, size {size}. Put it in the "
            "cart.",
        ),
        prepare_state=_prepare_cart,
        sample_params=_sample_cheapest_sized,
        solve=solve_with(AddCheapest),
        apply_expected=_apply_added,
        milestones=(LISTED, FOUND, IN_CART),
    ),
    Template(
        name="best_rated",
        skills=("search", "filter", "sort"),
        oracle_steps=7,
        phrasings=(
            "Save the best rated {category} {limit} to the wish list.",
            "Put the {category} with the best rating {limit} on my wish list.",
        ),
        sample_params=_sample_best_rated,
        solve=solve_with(SaveBestRated),
        apply_expected=_apply_wish,
        milestones=(LISTED, FOUND, ("saved", is_success)),
    ),
    Template(
        name="unwish",
        skills=("menu",),
        oracle_steps=4,
        phrasings=(
            "Remove the {name} from the wish list.",
            "Take the {name} off my wish list.",
        ),
        prepare_state=_prepare_wishes,
        sample_params=_sample_wish,
        solve=solve_with(RemoveWish),
        apply_expected=_apply_no_wish,
        milestones=(("wish_list", visited_page("wishlist")), ("removed", is_success)),
    ),
    Template(
        name="price",
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=(
            "How much is the {name}?",
            "What does the {name} cost?",
            "Tell me the price of the {name}.",
        ),
        prepare_state=_prepare_wishes,
        sample_params=_sample_wish,
        solve=solve_with(ReadPrice),
        expected_answer=_get_price,
        answer_kind="dollars",
        milestones=(LISTED, ("answered", is_success)),
    ),
    Template(
        name="missing_color",
        skills=("search", "refuse"),
        oracle_steps=3,
        phrasings=(
            "Add the {name} in {where} to the cart.",
            "Put the {name} in {where} in my cart.",
        ),
        sample_params=_sample_missing_color,
        solve=solve_with(AddToCart),
        infeasible=True,
        required_events=("view:{product}",),
        milestones=(LISTED, FOUND, REFUSED),
        tool_calls=_make_add_calls,
    ),
    Template(
        name="sold_out",
        skills=("search", "form", "refuse"),
        oracle_steps=6,
        phrasings=(
            "Add the {name} in {color}, size {size}, to the cart.",
            "Put the {color} {name} in size {size} in my cart.",
        ),
        sample_params=_sample_sold_out,
        solve=solve_with(AddToCart),
        infeasible=True,
        required_events=("sold_out:{product}:{color}:{size}",),
        milestones=(LISTED, FOUND, REFUSED),
        tool_calls=_make_add_calls,
    ),
)
