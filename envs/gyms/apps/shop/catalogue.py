"""The shop's world: what a seed makes of it. Deterministic, a few milliseconds, cached by seed.

The catalogue is immutable and shared by all sessions of a seed; a session's own state (`state.py`,
`rules.py`) is small and separate from it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from envs.contract.task import Split, split_of
from envs.gyms.apps.shop.names import (
    ADDRESSES,
    BRANDS,
    CATEGORIES,
    COLORS,
    LINES,
    PLAIN,
    SHOP_NAMES,
    SIZED,
    SIZES,
)
from envs.gyms.kit.appearance import Appearance
from envs.gyms.kit.locale import Locale

CATALOGUE_SIZE = 320
TWINS = 40
"""Products whose name differs from another one's by one word."""
PAGE_SIZES = (8, 7, 8)
"""Results on a page, by layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Prices in cents, ratings in tenths of a star. Plain products have one size, "". `words` is
    what a search looks at: " word word ...", in lower case."""

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

    @property
    def price_text(self) -> str:
        """ "$12.50"."""
        return format_money(self.price)

    @property
    def rating_text(self) -> str:
        """Stars with one decimal."""
        return f"{self.rating // 10}.{self.rating % 10}"

    def has(self, color: str, size: str) -> bool:
        """Whether the variant exists, in stock or not."""
        return color in self.colors and (size in self.sizes if self.sizes else size == "")

    def count_left(self, color: str, size: str) -> int:
        """How many of a variant can be bought."""
        if not self.has(color, size) or (color, size) in self.sold_out:
            return 0
        return self.stock

    def variants(self) -> list[tuple[str, str]]:
        """Every color with every size."""
        return [(color, size) for color in self.colors for size in self.sizes or ("",)]

    def variants_in_stock(self) -> list[tuple[str, str]]:
        """Those of `variants` that can be bought."""
        return [variant for variant in self.variants() if variant not in self.sold_out]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """See `envs.gyms.kit.world.World`. `name` is the shop's; `addresses` is what the customer calls
    both addresses, of which the shop proposes the first."""

    seed: int
    name: str
    addresses: tuple[str, str]
    appearance: Appearance
    categories: tuple[str, ...]
    products: tuple[Product, ...]
    by_id: dict[str, Product]

    @property
    def split(self) -> Split:
        """Which names its products and customers have."""
        return split_of(self.seed)

    @property
    def locale(self) -> Locale:
        """Every shop is American."""
        return Locale("us")

    @property
    def page_size(self) -> int:
        """Results on a page."""
        return PAGE_SIZES[self.appearance.layout]

    def rng(self, purpose: str) -> random.Random:
        """See `World.rng`."""
        return random.Random(f"{purpose}:{self.seed}")


def format_money(cents: int) -> str:
    """Dollars with two decimals and no thousands separator."""
    return f"${cents // 100}.{cents % 100:02d}"


@lru_cache(maxsize=128)
def get_catalogue(seed: int) -> Catalogue:
    """The catalogue of a seed. Names are unique, and prices within a category are too."""
    rng = random.Random(f"shop:{seed}")
    split = split_of(seed)
    name, appearance = rng.choice(SHOP_NAMES[split]), Appearance.sample(rng)
    categories = (*rng.sample(sorted(SIZED), 5), *rng.sample(sorted(PLAIN), 4))
    brands = rng.sample(BRANDS[split], 14)
    triples = [
        (brand, material, category)
        for category in categories
        for material in CATEGORIES[category]
        for brand in brands
    ]
    chosen = [
        (brand, "", material, category)
        for brand, material, category in rng.sample(triples, CATALOGUE_SIZE - TWINS)
    ]
    for brand, _, material, category in rng.sample(chosen, TWINS):
        chosen.append((brand, rng.choice(LINES), material, category))
    rng.shuffle(chosen)
    dollars = {category: rng.sample(range(8, 190), 120) for category in categories}
    products = tuple(
        _make_product(rng, index, dollars[words[3]].pop(), words)
        for index, words in enumerate(chosen)
    )
    first, second = random.Random(f"addresses:{seed}").sample(ADDRESSES[split], 2)
    return Catalogue(
        seed=seed,
        name=name,
        addresses=(first, second),
        appearance=appearance,
        categories=categories,
        products=products,
        by_id={product.id: product for product in products},
    )


def _make_product(
    rng: random.Random, index: int, dollars: int, words: tuple[str, str, str, str]
) -> Product:
    """`words`: brand, line, material and category; a line may be ""."""
    brand, _, material, category = words
    colors = tuple(rng.sample(COLORS, rng.randint(3, 5)))
    sizes = SIZES if category in SIZED else ()
    variants = [(color, size) for color in colors for size in sizes or ("",)]
    name = " ".join(word for word in words if word)
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
