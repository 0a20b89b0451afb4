"""The shop as an app of the kit."""

from __future__ import annotations

import random

from envs.gyms.apps.shop.app import SHOP
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.state import make_state
from envs.state.canonical import diff


def test_its_part_is_the_whole_state_and_its_events_have_no_prefix() -> None:
    state = make_state(get_catalogue(1))
    assert SHOP.get_state(state) is state
    assert SHOP.make_session_state(get_catalogue(1)) == state
    assert SHOP.name_event("cart") == "cart"


def test_a_stray_change_puts_one_thing_on_the_wish_list() -> None:
    state, before = make_state(get_catalogue(1)), make_state(get_catalogue(1))
    SHOP.make_stray_change(state, random.Random(1))
    assert [change.kind for change in diff(before, state)] == ["added"]
    assert len(state["wishlist"]) == 1


def test_each_form_stands_below_its_page() -> None:
    pages = {spec.path for spec in SHOP.pages if spec.method == "GET"}
    forms = {spec.path for spec in SHOP.pages if spec.method == "POST"}
    assert {path.rpartition("/")[0] for path in forms} <= pages
