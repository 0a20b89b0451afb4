from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.apps.office.lengths import UNITS_PER_PIXEL, from_cm, from_points, to_cm


@pytest.mark.parametrize(("cm", "units"), [(0, 0), (1, 1000), (2.54, 2540), (-0.5, -500)])
def test_centimetres(cm: float, units: int) -> None:
    assert from_cm(cm) == units
    assert to_cm(units) == cm


def test_an_inch_is_72_points_and_96_pixels() -> None:
    assert from_points(72) == 2540
    assert from_points(12) == 423
    assert pytest.approx(2540) == 96 * UNITS_PER_PIXEL


@given(st.integers(-100_000, 100_000))
def test_whole_hundredths_of_a_centimetre_survive(hundredths: int) -> None:
    assert to_cm(from_cm(hundredths / 100)) == hundredths / 100
