"""Moves on Trac's pages."""

from __future__ import annotations

import pytest

from envs.gyms.apps.trac.oracle_moves import box_before
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.oracle_walk import make_page


def test_a_row_is_known_by_its_link_and_ticked_by_the_box_before_it() -> None:
    page = make_page("check all #", "check #", "link 1.0 #", "radio #", "check #", "link 1.1 #")
    assert box_before(page, "1.1").ref == 5
    with pytest.raises(OracleLost, match="no row"):
        box_before(page, "2.0")
