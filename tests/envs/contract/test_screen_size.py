"""Sizes of screens and pages as command lines name them."""

from __future__ import annotations

import pytest

from envs.contract.screen_size import parse_size, size_text


def test_a_size_is_read_as_it_is_written() -> None:
    assert parse_size(size_text((1920, 1080))) == (1920, 1080)


@pytest.mark.parametrize("text", ["", "1920", "1920x", "axb", "100x100", "9000x9000", "-1x720"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a screen size|pixels"):
        parse_size(text)
