"""The size of a page's viewport: what a policy that sees pictures gets to see."""

from __future__ import annotations

from envs.contract.screen_size import Size, parse_size

PAGE_SIZE: Size = (1024, 768)
SMALLEST = 128
"""Of a side. Small pages are for small policies: a picture of 160 x 224 pixels is 35 tokens."""


def parse_page_size(text: str) -> Size:
    """The size that "1024x768" names. Raises ValueError."""
    return parse_size(text, SMALLEST)
