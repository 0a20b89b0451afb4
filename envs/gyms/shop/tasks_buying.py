"""Templates about products and the wish list: find, compare, choose a variant, add."""

from __future__ import annotations

import copy
import random

from envs.gyms.gym import State
from envs.gyms.shop import domain
from envs.gyms.shop.catalogue import Catalogue, Product
from envs.gyms.shop.search import BEST, LOWEST, PRICES, Query, search
from envs.gyms.shop.tasks import Evidence, Params, Redraw, Template, finished, saw
from envs.gyms.shop.words import COLORS

FOUND = ("found", saw("view:{product}"))
LISTED = ("listed", saw("listed:{product}"))


def _variant(product: Product, color: str, size: str) -> Params:
    return {"product": product.id, "name": product.name, "color": color, "size": size}


def _in_stock(product: Product) -> list[tuple[str, str]]:
    return [pair for pair in product.variants() if pair not in product.sold_out]


def _draw_sized(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes])
    return _fresh(state, _variant(product, *rng.choice(_in_stock(product))))


def _draw_plain(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if not p.sizes])
    return _fresh(state, _variant(product, *rng.choice(_in_stock(product))))


def _draw_several(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _draw_plain(catalogue, rng, state) | {"quantity": rng.randint(2, 5)}


def _fresh(state: State, params: Params) -> Params:
    """Not what the cart holds already."""
    if any(line["product"] == params["product"] for line in state["cart"]):
        raise Redraw
    return params


def _draw_cheapest(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    category = rng.choice([c for c in catalogue.categories if c not in _sized(catalogue)])
    return _cheapest(catalogue, state, Query(category, color=rng.choice(COLORS)), category)


def _draw_cheapest_sized(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes])
    color, size = rng.choice(_in_stock(product))
    words = f"{product.material} {product.category}"
    params = _cheapest(catalogue, state, Query(words, color=color, size=size), product.category)
    return params | {"material": product.material}


def _cheapest(catalogue: Catalogue, state: State, query: Query, category: str) -> Params:
    """At least two to choose from, and no cheaper one that is only sold out."""
    found = search(catalogue, Query(query.text, sort=LOWEST))
    offered = [product for product in found if query.color in product.colors]
    if len(offered) < 2 or not offered[0].left(query.color, query.size):
        raise Redraw
    params = _variant(offered[0], query.color, query.size)
    return _fresh(state, params | {"category": category, "words": query.text})


def _sized(catalogue: Catalogue) -> set[str]:
    return {product.category for product in catalogue.products if product.sizes}


def _draw_best(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    category, limit = rng.choice(catalogue.categories), rng.choice(list(PRICES))
    found = search(catalogue, Query(category, price=limit, sort=BEST))
    kept = {entry["id"] for entry in state["wishlist"]}
    if len(found) < 3 or found[0].rating == found[1].rating or found[0].id in kept:
        raise Redraw
    if search(catalogue, Query(category, sort=BEST))[0].id == found[0].id:
        raise Redraw
    return {
        "category": category,
        "limit": limit,
        "product": found[0].id,
        "name": found[0].name,
    }


def _draw_missing(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice(catalogue.products)
    _, size = rng.choice(_in_stock(product))
    color = rng.choice([color for color in COLORS if color not in product.colors])
    where = f"{color}, size {size}," if size else color
    return _variant(product, color, size) | {"where": where}


def _draw_sold_out(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = rng.choice([p for p in catalogue.products if p.sizes and p.sold_out])
    return _variant(product, *rng.choice(sorted(product.sold_out)))


def _some_cart(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    """Now and then something is in the cart already, and has to stay there."""
    if rng.random() < 0.4:
        product = rng.choice(catalogue.products)
        color, size = rng.choice(_in_stock(product))
        domain.add_to_cart(catalogue, state, product.id, color, size)


def _some_wishes(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    for product in rng.sample(catalogue.products, rng.randint(2, 4)):
        domain.set_wish(catalogue, state, product.id, True)


def _expect_added(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.add_to_cart(
        catalogue,
        state,
        params["product"],
        params["color"],
        params["size"],
        params.get("quantity", 1),
    )
    return state


def _expect_wished(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.set_wish(catalogue, state, params["product"], True)
    return state


def _expect_unwished(catalogue: Catalogue, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    domain.set_wish(catalogue, state, params["product"], False)
    return state


def _draw_wish(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    product = catalogue.by_id[rng.choice(state["wishlist"])["id"]]
    return {"product": product.id, "name": product.name}


def _price(catalogue: Catalogue, params: Params, before: State) -> str:
    return catalogue.by_id[params["product"]].price_text


def _product_in_cart(evidence: Evidence) -> bool:
    wanted = evidence.params["product"]
    return any(line["product"] == wanted for line in evidence.after["cart"])


BUYING = (
    Template(
        "add_sized",
        (
            "Add the {name} in {color}, size {size}, to the cart.",
            "Put the {color} {name} in size {size} in my cart.",
            "I need the {name}, color {color}, size {size}. Add it to the cart.",
        ),
        _draw_sized,
        (LISTED, FOUND, ("in_cart", finished)),
        steps=6,
        expected=_expect_added,
        prepare=_some_cart,
    ),
    Template(
        "add_plain",
        (
            "Add the {name} in {color} to the cart.",
            "Put the {color} {name} in my cart.",
        ),
        _draw_plain,
        (LISTED, FOUND, ("in_cart", finished)),
        steps=5,
        expected=_expect_added,
        prepare=_some_cart,
    ),
    Template(
        "add_several",
        (
            "Add {quantity} of the {name} in {color} to the cart.",
            "I need the {name} in {color}, quantity {quantity}. Add them to the cart.",
        ),
        _draw_several,
        (LISTED, FOUND, ("product", _product_in_cart), ("in_cart", finished)),
        steps=6,
        expected=_expect_added,
        prepare=_some_cart,
    ),
    Template(
        "cheapest",
        (
            "Add the cheapest {category} in {color} to the cart.",
            "Put the cheapest {color} {category} in my cart.",
        ),
        _draw_cheapest,
        (LISTED, FOUND, ("in_cart", finished)),
        steps=7,
        expected=_expect_added,
        prepare=_some_cart,
    ),
    Template(
        "cheapest_sized",
        (
            "Add the cheapest {color} {material} {category} in size {size} to the cart.",
            "I want the cheapest {material} {category} in {color}, size {size}. Put it in the "
            "cart.",
        ),
        _draw_cheapest_sized,
        (LISTED, FOUND, ("in_cart", finished)),
        steps=8,
        expected=_expect_added,
        prepare=_some_cart,
    ),
    Template(
        "best_rated",
        (
            "Save the best rated {category} {limit} to the wish list.",
            "Put the {category} with the best rating {limit} on my wish list.",
        ),
        _draw_best,
        (LISTED, FOUND, ("saved", finished)),
        steps=7,
        expected=_expect_wished,
    ),
    Template(
        "unwish",
        (
            "Remove the {name} from the wish list.",
            "Take the {name} off my wish list.",
        ),
        _draw_wish,
        (("wish_list", saw("wishlist")), ("removed", finished)),
        steps=4,
        expected=_expect_unwished,
        prepare=_some_wishes,
    ),
    Template(
        "price",
        (
            "How much is the {name}?",
            "What does the {name} cost?",
            "Tell me the price of the {name}.",
        ),
        _draw_wish,
        (LISTED, ("answered", finished)),
        steps=2,
        prepare=_some_wishes,
        answer=_price,
    ),
    Template(
        "missing_color",
        (
            "Add the {name} in {where} to the cart.",
            "Put the {name} in {where} in my cart.",
        ),
        _draw_missing,
        (LISTED, FOUND, ("refused", finished)),
        steps=3,
        infeasible=True,
        must_see=("view:{product}",),
    ),
    Template(
        "sold_out",
        (
            "Add the {name} in {color}, size {size}, to the cart.",
            "Put the {color} {name} in size {size} in my cart.",
        ),
        _draw_sold_out,
        (LISTED, FOUND, ("refused", finished)),
        steps=5,
        infeasible=True,
        must_see=("view:{product}",),
    ),
)
