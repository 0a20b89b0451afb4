"""JSON states: any that hypothesis makes, and lists of records with ids."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4)
STATES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


def entities(*ids: str) -> list[dict[str, Any]]:
    return [{"id": key, "qty": 1} for key in ids]
