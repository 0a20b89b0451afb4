"""The text that tokenizers are trained on."""

from __future__ import annotations

from envs.gyms.apps.shop.gym import GYM as SHOP


def test_corpus_holds_instructions_and_page_words() -> None:
    texts = "\n".join(SHOP.corpus(5))
    for word in ("Lowest price", "Add to cart", "Sold out", "Changed my mind", "select Color ="):
        assert word in texts
    assert SHOP.corpus(5) == SHOP.corpus(5)
    assert SHOP.corpus(5) != SHOP.corpus(6)
