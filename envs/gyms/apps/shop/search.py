"""Search of the catalogue: words, filters, sort. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from envs.contract.task import Split
from envs.gyms.apps.shop.catalogue import Catalogue, Product
from envs.gyms.apps.shop.names import SIZES

ANY = "Any"
RELEVANCE, LOWEST, HIGHEST, BEST = "Relevance", "Lowest price", "Highest price", "Best rated"
SORTS = (RELEVANCE, LOWEST, HIGHEST, BEST)
PRICES: dict[Split, dict[str, int]] = {
    "train": {"under $25": 2500, "under $50": 5000, "under $75": 7500, "under $100": 10000},
    "dev": {"under $20": 2000, "under $45": 4500, "under $70": 7000, "under $95": 9500},
    "test": {"under $30": 3000, "under $55": 5500, "under $80": 8000, "under $105": 10500},
}
"""Price filter -> first price in cents that is too high, by split."""
RATINGS = {"4 stars": 40, "3 stars": 30}
"""Rating filter -> least rating in tenths."""


@dataclass(frozen=True, slots=True)
class Query:
    """A search as the results page shows it; an empty filter lets everything pass."""

    text: str = ""
    category: str = ""
    color: str = ""
    material: str = ""
    size: str = ""
    price: str = ""
    rating: str = ""
    sort: str = RELEVANCE


def search(catalogue: Catalogue, query: Query) -> list[Product]:
    """Products in which every word occurs (in the name, or as a color), filtered, sorted.

    A product whose name is exactly the text comes first. With a color and a size, the variant has
    to be in stock."""
    words = [f" {_to_singular(word)}" for word in query.text.lower().split()]
    below, least = PRICES[catalogue.split].get(query.price), RATINGS.get(query.rating, 0)
    matches = [
        product
        for product in catalogue.products
        if (not query.category or query.category == product.category)
        and (not query.material or query.material == product.material)
        and (below is None or product.price < below)
        and product.rating >= least
        and (not (query.color or query.size) or _is_in_stock(product, query.color, query.size))
        and all(word in product.words for word in words)
    ]
    if query.sort == LOWEST:
        matches.sort(key=lambda product: product.price)
    elif query.sort == HIGHEST:
        matches.sort(key=lambda product: -product.price)
    elif query.sort == BEST:
        matches.sort(key=lambda product: (-product.rating, -product.reviews))
    else:
        exact = query.text.lower().strip()
        matches.sort(key=lambda product: product.name.lower() != exact)
    return matches


def list_filter_options(catalogue: Catalogue, query: Query) -> dict[str, list[str]]:
    """Colors, materials and sizes worth offering as filters, given the words searched for."""
    matches = search(catalogue, Query(text=query.text, category=query.category))
    colors = {color for product in matches for color in product.colors}
    materials = sorted({product.material for product in matches})
    return {
        "color": sorted(colors),
        "material": materials if len(materials) > 1 or query.material else [],
        "size": list(SIZES) if any(product.sizes for product in matches) else [],
    }


def _to_singular(word: str) -> str:
    """Plural to singular, as far as the shop's words go (shirts, dresses, scarves)."""
    if word.endswith("ves"):
        return word[:-3] + "f"
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _is_in_stock(product: Product, color: str, size: str) -> bool:
    """Whether a variant of this color and size can be bought; "" is any."""
    return any(
        (not color or variant[0] == color)
        and (not size or variant[1] == size)
        and variant not in product.sold_out
        for variant in product.variants()
    )
