"""Moves on WordPress's lists."""

from __future__ import annotations

import pytest

from envs.contract.actions import Type
from envs.gyms.apps.wordpress.oracle_moves import search_list
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.oracle_walk import make_page


def test_a_list_is_searched_by_its_own_box() -> None:
    move = next(search_list(make_page("box Title #", "box Search Pages: #"), "Jobs"))
    assert isinstance(move.action, Type)
    assert (move.action.target and move.action.target.ref, move.action.submit) == (2, True)
    with pytest.raises(OracleLost, match="no search"):
        next(search_list(make_page("box Title #"), "Jobs"))
