"""JSON with comments."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.outside.published.error_policy import Unreadable
from envs.osworld.outside.published.jsonc import parse_jsonc

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_json_is_jsonc(value: Any) -> None:
    assert parse_jsonc(json.dumps(value)) == value


@given(st.lists(st.text(), min_size=1))
def test_comments_and_a_last_comma_are_nothing(texts: list[str]) -> None:
    items = "\n".join(f"{json.dumps(text)}, // {json.dumps(text)}" for text in texts)
    assert parse_jsonc(f"/* a\n list */ [{items}\n]") == texts


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "// only", '{"a": 1,, "b": 2}'])
def test_what_is_no_json_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_jsonc(text)
