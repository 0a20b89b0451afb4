"""A few pages and a tiny reader of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trainer.reading.config import ReaderConfig
from trainer.reading.pages import Page, write_pages

TREE = """link Home #1
heading Coats
link {0} Wool Coat $12.50 #2
link {0} Linen Coat $9.00 #3
select Address = Home [Home | Work] #4
box Coupon = SPRING5 #5"""
CONFIG: dict[str, Any] = {
    "model": {
        "vocab_size": 400,
        "hidden": 64,
        "layers": 1,
        "heads": 1,
        "kv_heads": 1,
        "intermediate": 64,
    },
    "learner": {"threads": 1},
    "pages": {"tasks": ["shop/price"]},
    "reading": {"updates": 4, "pages": 2, "questions": 3, "check_every": 2, "check_pages": 2},
}


def make_page(brand: str, group: str = "train") -> Page:
    return Page("shop/price", group, "Results", TREE.format(brand))


def write_config(folder: Path) -> ReaderConfig:
    """The tiny reader, with its pages in a file."""
    brands = {"train": ("Opal", "Iris", "Dune"), "dev": ("Alder", "Maple"), "unseen": ("Pine",)}
    pages = [make_page(brand, group) for group, names in brands.items() for brand in names]
    path = folder / "pages.jsonl.gz"
    config = ReaderConfig.model_validate(CONFIG | {"pages": {**CONFIG["pages"], "file": path}})
    write_pages(path, pages, config.pages, config.seed)
    return config
