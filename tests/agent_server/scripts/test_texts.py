"""Texts with parameters: what is put in comes out again, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.scripts.texts import (
    escape,
    fill,
    insert,
    is_steady,
    parameters_in,
    shows_value,
    steady_beginning,
)

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)


@given(st.text(), st.dictionaries(NAMES, st.text(), max_size=4))
def test_what_is_inserted_is_filled_in_again(text: str, values: dict[str, str]) -> None:
    assert fill(insert(text, values), values) == text
    assert fill(escape(text), {}) == text


def test_values_are_found_as_whole_words_the_longest_first() -> None:
    values = {"first": "Ada", "name": "Ada Stone", "count": "4"}
    assert insert("Call Ada Stone, not Adam, in 4 days", values) == (
        "Call {name}, not Adam, in 4 days"
    )
    assert insert("4", values) == "{count}"
    assert insert("Dress XL added", {"size": "XL"}) == "Dress {size} added"


def test_a_value_that_looks_like_a_parameter_is_a_text() -> None:
    assert fill("{a}", {"a": "{b}", "b": "x"}) == "{b}"
    with pytest.raises(KeyError):
        fill("{missing}", {})


def test_a_beginning_ends_before_the_first_number_of_the_day() -> None:
    assert steady_beginning("{title} on {date} at 11:30") == "{title} on {date} at"
    assert steady_beginning("Cart (2)") == "Cart"
    assert steady_beginning("{v2} stays") == "{v2} stays"
    assert (is_steady("{v2}"), is_steady("Cart (2)")) == (True, False)
    assert parameters_in("{a} and {{b}}") == {"a"}
    assert (shows_value("to 12.5 EUR", "12.5"), shows_value("x12", "12")) == (True, False)
