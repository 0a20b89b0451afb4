"""Points of the screen in the spaces of models, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import Target
from envs.dialects.coordinates import ABSOLUTE, RELATIVE, SHOWN, Coordinates
from envs.dialects.dialect import Display, Refused

SCREEN = Display(1000, 500, shown=(500, 250))


def test_a_point_has_a_place_in_each_space() -> None:
    point = Target(x=250, y=400)
    assert RELATIVE.point(point, SCREEN) == (250, 800)
    assert SHOWN.point(point, SCREEN) == (125, 200)
    # 500 x 250 is resized to 504 x 252: multiples of 28.
    assert ABSOLUTE.point(point, SCREEN) == (126, 202)
    for space in (RELATIVE, SHOWN, ABSOLUTE):
        with pytest.raises(ValueError, match="only a point"):
            space.point(Target(ref=3), SCREEN)


@given(st.sampled_from([RELATIVE, SHOWN, ABSOLUTE]), st.integers(0, 999), st.integers(0, 499))
def test_a_point_comes_back_within_a_unit(space: Coordinates, x: int, y: int) -> None:
    back = space.target(*space.point(Target(x=x, y=y), SCREEN), SCREEN)
    assert back.x is not None
    assert abs(back.x - x) <= 2
    assert back.y is not None
    assert abs(back.y - y) <= 2


@pytest.mark.parametrize("space", [RELATIVE, SHOWN, ABSOLUTE])
def test_what_lies_outside_is_refused(space: Coordinates) -> None:
    with pytest.raises(Refused, match="lies outside"):
        space.target(1001, 10, SCREEN)
