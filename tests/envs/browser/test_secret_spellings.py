"""Values as pages, browsers and programs write them are found."""

from __future__ import annotations

import re

import pytest

from envs.browser.secret_spellings import list_spellings, make_pattern


def is_found(value: str, text: str) -> bool:
    return re.fullmatch(make_pattern(value), text, re.IGNORECASE) is not None


@pytest.mark.parametrize("text", ["p%40ss!word*('~)", "p%40ss%21word*%28%27%7E%29"])
def test_a_value_is_found_as_browsers_encode_it(text: str) -> None:
    """`encodeURIComponent` and forms each leave other characters as they are."""
    assert is_found("p@ss!word*('~)", text)


@pytest.mark.parametrize(
    "text",
    ["a&b c/d", "a&amp;b&nbsp;c&#x2f;d", "a\\u0026b\u00a0c\\/d", "A\\x26B+C%2FD", "a&#38;b  c/d"],
)
def test_escapes_may_be_mixed(text: str) -> None:
    assert is_found("a&b c/d", text)


def test_a_value_is_found_in_the_other_normal_form() -> None:
    assert is_found("pa\u0308ss", "p\u00e4ss")
    assert is_found("p\u00e4ss", "pa\u0308ss")


def test_long_values_are_found_in_groups_and_short_ones_are_not() -> None:
    assert is_found("4111222233334444", "4111 2222-3333\u00a04444")
    assert not is_found("1234", "1 2 3 4")


@pytest.mark.parametrize("value", ["####", "[[[[", "(abc)", "a" * 128, "\U0001f511key"])
def test_its_own_spellings_are_found(value: str) -> None:
    assert all(is_found(value, spelling) for spelling in list_spellings(value))
    assert not is_found(value, "")
