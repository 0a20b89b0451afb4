"""Presentations that the tests of Impress begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

Call = Any


@pytest.fixture
def slide(call: Call, slides: Path) -> int:
    """Slide 2, with a title and three paragraphs."""
    number: int = call("impress.add_slide", layout="title_content")
    call("impress.set_text", slide=number, shape="title", text="Fruit")
    call("impress.set_text", slide=number, shape="content", text="red apple\ngreen pear\nred plum")
    return number


@pytest.fixture
def deck(call: Call, slides: Path) -> Path:
    """Four slides, called One to Four."""
    for title in ("One", "Two", "Three", "Four"):
        number = 1 if title == "One" else call("impress.add_slide")
        call("impress.set_text", slide=number, shape="title", text=title)
    return slides
