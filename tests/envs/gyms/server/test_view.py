"""What an oracle sees of a page."""

from __future__ import annotations

import pytest

from envs.browser.trouble import PageTrouble
from envs.contract.observations import Observation, Observe
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page
from tests.envs.gyms.kit.observed import observe

PAGE = Page(observe("heading Cart", "text Total $3", "link Open #1", "select Size = M [S | M] #2"))


def test_elements_are_found_by_role_and_name() -> None:
    assert PAGE.get_line("link", "Open").ref == 1
    assert PAGE.find("button", "Open") is None
    assert PAGE.find_prefix("link", "Op") is not None
    assert PAGE.has_heading("Cart")
    assert PAGE.text_after("Total ") == "$3"
    assert not PAGE.has_more_below
    assert Page(observe(below=True)).has_more_below


def test_an_option_is_chosen_once() -> None:
    assert PAGE.select("size", "Size", "M") is None
    assert PAGE.select("size", "Size", "S") is not None


def test_what_is_not_there_loses_the_oracle() -> None:
    with pytest.raises(OracleLost, match="no button 'Pay'"):
        PAGE.click("pay", "button", "Pay")
    with pytest.raises(OracleLost, match="needs a tree"):
        Page(Observation(hash="", url="/", title="x"))


def test_nothing_is_read_from_a_page_that_does_not_answer() -> None:
    trouble = PageTrouble("the page did not answer in 14 s")
    with pytest.raises(OracleLost, match="no page: the page did not answer in 14 s"):
        Page(trouble.observation(3, Observe()))
