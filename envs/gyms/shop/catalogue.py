"""Hydration: what a seed makes of the shop. Deterministic, a few milliseconds, cached by seed.

The catalogue is immutable and shared by all sessions of a seed; a session's own state
(`account.py`, `domain.py`) is small and separate from it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from envs.gyms.shop.words import BRANDS, CATEGORIES, COLORS, LINES, PLAIN, SHOP_NAMES, SIZED, SIZES

CATALOGUE_SIZE = 320
TWINS = 40
"""Products whose name differs from another one's by one word."""
LAYOUTS = 3
THEMES = 4


@dataclass(frozen=True, slots=True)
class Product:
    """Prices in cents, ratings in tenths of a star. Plain products have one size, ""."""

    id: str
    name: str
    brand: str
    material: str
    category: str
    colors: tuple[str, ...]
    sizes: tuple[str, ...]
    price: int
    rating: int
    reviews: int
    stock: int
    sold_out: frozenset[tuple[str, str]]
    words: str
    """What a search sees: " word word ...", in lower case."""

    @property
    def price_text(self) -> str:
        return money(self.price)

    @property
    def rating_text(self) -> str:
        return f"{self.rating // 10}.{self.rating % 10}"

    def has(self, color: str, size: str) -> bool:
        """Whether the variant exists, in stock or not."""
        return color in self.colors and (size in self.sizes if self.sizes else size == "")

    def left(self, color: str, size: str) -> int:
        """How many of a variant can be bought."""
        if not self.has(color, size) or (color, size) in self.sold_out:
            return 0
        return self.stock

    def variants(self) -> list[tuple[str, str]]:
        return [(color, size) for color in self.colors for size in self.sizes or ("",)]


@dataclass(frozen=True, slots=True)
class Look:
    """How the shop of a seed presents itself."""

    name: str
    layout: int
    theme: int

    @property
    def page_size(self) -> int:
        return (8, 7, 8)[self.layout]


@dataclass(frozen=True, slots=True)
class Catalogue:
    seed: int
    look: Look
    categories: tuple[str, ...]
    products: tuple[Product, ...]
    by_id: dict[str, Product]


def money(cents: int) -> str:
    return f"${cents // 100}.{cents % 100:02d}"


@lru_cache(maxsize=128)
def hydrate(seed: int) -> Catalogue:
    """The catalogue of a seed. Names are unique, and prices within a category are too."""
    rng = random.Random(f"shop:{seed}")
    look = Look(rng.choice(SHOP_NAMES), rng.randrange(LAYOUTS), rng.randrange(THEMES))
    categories = (*rng.sample(sorted(SIZED), 5), *rng.sample(sorted(PLAIN), 4))
    brands = rng.sample(BRANDS, 14)
    triples = [
        (brand, material, category)
        for category in categories
        for material in CATEGORIES[category]
        for brand in brands
    ]
    chosen = [(brand, "", material, category) for brand, material, category in
              rng.sample(triples, CATALOGUE_SIZE - TWINS)]  # fmt: skip
    for brand, _, material, category in rng.sample(chosen, TWINS):
        chosen.append((brand, rng.choice(LINES), material, category))
    rng.shuffle(chosen)
    dollars = {category: rng.sample(range(8, 190), 120) for category in categories}
    products = tuple(
        _product(rng, index, dollars[words[3]].pop(), *words) for index, words in enumerate(chosen)
    )
    return Catalogue(
        seed, look, categories, products, {product.id: product for product in products}
    )


def _product(
    rng: random.Random,
    index: int,
    dollars: int,
    brand: str,
    line: str,
    material: str,
    category: str,
) -> Product:
    colors = tuple(rng.sample(COLORS, rng.randint(3, 5)))
    sizes = SIZES if category in SIZED else ()
    variants = [(color, size) for color in colors for size in sizes or ("",)]
    name = " ".join(word for word in (brand, line, material, category) if word)
    return Product(
        id=f"p{index + 1}",
        name=name,
        brand=brand,
        material=material,
        category=category,
        colors=colors,
        sizes=sizes,
        price=dollars * 100 + rng.choice((0, 25, 50, 90, 99)),
        rating=rng.randint(21, 50),
        reviews=rng.randint(3, 900),
        stock=rng.randint(10, 40),
        sold_out=frozenset(rng.sample(variants, len(variants) // 10 + (rng.random() < 0.3))),
        words=f" {name} {' '.join(colors)}".lower(),
    )
