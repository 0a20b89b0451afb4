"""Sizes of pages: smaller ones than of screens."""

from __future__ import annotations

import pytest

from envs.browser.page_size import PAGE_SIZE, SMALLEST, parse_page_size
from envs.contract.screen_size import size_text


def test_a_page_may_be_as_small_as_a_picture_of_few_tokens() -> None:
    assert parse_page_size("160x224") == (160, 224)
    assert parse_page_size(size_text(PAGE_SIZE)) == PAGE_SIZE
    with pytest.raises(ValueError, match=f"sides are {SMALLEST} to"):
        parse_page_size(f"{SMALLEST - 1}x400")
