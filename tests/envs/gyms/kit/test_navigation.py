"""Moves on the kit's pages, one observation after the other."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Scroll, Type
from envs.gyms.kit import navigation
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page
from tests.envs.gyms.kit.observed import observe


def test_a_control_is_found_under_its_other_names_and_by_its_beginning() -> None:
    page = Page(observe("button Apply payment #1", "link Invoice 7 of May #2"))
    line = navigation.find_line(page, "button", "Save payment")
    assert line is not None
    assert line.name == "Apply payment"
    assert navigation.find_line(page, "link", "Invoice 7") is not None
    assert navigation.find_line(page, "link", "Invoice 8") is None


def test_it_scrolls_until_the_control_is_in_view() -> None:
    moves = navigation.click(Page(observe(below=True)), "save it", "Save")
    assert isinstance(next(moves).action, Scroll)
    assert isinstance(moves.send(Page(observe("button Save #1"))).action, Click)


def test_fields_that_are_right_are_left_alone() -> None:
    page = Page(observe("box Name = Ana #1", "box City = Oslo #2"))
    moves = navigation.fill_fields(page, {"Name": "Ana", "City": "Graz"})
    action = next(moves).action
    assert isinstance(action, Type)
    assert action.text == "Graz"


def test_a_value_follows_its_name() -> None:
    page = Page(observe("text Total $12.00"))
    assert navigation.read_value(page, "Total") == "$12.00"
    with pytest.raises(OracleLost, match="does not say 'Tax'"):
        navigation.read_value(page, "Tax")
