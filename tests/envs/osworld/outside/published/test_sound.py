"""Cepstra and their alignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.osworld.outside.published.sound import cepstra, distance


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 40), st.integers(1, 40))
def test_any_two_lengths_can_be_aligned(first: int, other: int) -> None:
    row = np.cumsum(np.ones((40, 3)), axis=0) * [1, 2, -1] + [[0, 50, 9]]
    assert distance(row[:first], row[:first]) == pytest.approx(0, abs=1e-12)
    assert 0 <= distance(row[:first], row[:other]) <= 2


def test_silence_can_be_described() -> None:
    assert np.isfinite(cepstra(np.zeros(4000, dtype=np.float32))).all()
