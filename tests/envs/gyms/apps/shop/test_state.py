"""The state of a fresh session."""

from __future__ import annotations

from datetime import date

from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.state import format_day, get_today, make_state


def test_four_orders_in_the_past_and_an_empty_cart() -> None:
    state = make_state(get_catalogue(4))
    assert (state["cart"], state["coupon"], state["wishlist"]) == ([], None, [])
    statuses = sorted(order["status"] for order in state["orders"])
    assert statuses == ["Delivered", "Delivered", "Processing", "Shipped"]
    days = [date.fromisoformat(order["date"]) for order in state["orders"]]
    assert days == sorted(days, reverse=True)
    assert days[0] < get_today(get_catalogue(4))


def test_the_state_of_a_seed_is_always_the_same() -> None:
    assert make_state(get_catalogue(4)) == make_state(get_catalogue(4))
    assert make_state(get_catalogue(4)) != make_state(get_catalogue(5))


def test_days_are_short() -> None:
    assert format_day("2026-03-03") == "3 Mar"
    assert get_today(get_catalogue(0)) == date(2026, 1, 20)
