"""Scripts of tickets, flights and dishes."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import orders
from tests.envs.gyms.apps.miniwob.play import observation, play


@pytest.mark.parametrize(("text", "minutes"), [("2h 5m", 125), ("3h", 180), ("45m", 45), ("", 0)])
def test_durations(text: str, minutes: int) -> None:
    assert orders.minutes_of(text) == minutes


def test_airports_by_name_and_code() -> None:
    assert orders.is_airport_of("Hobart, TAS (HBA)", "Hobart")
    assert orders.is_airport_of("Hobart, TAS (HBA)", "HBA")
    assert not orders.is_airport_of("Hobart, TAS (HBA)", "TAS")


@pytest.mark.parametrize(
    ("words", "price"),
    [("cheapest", 80), ("most expensive", 200), ("shortest", 200), ("longest", 80)],
)
def test_tickets_by_price_and_duration(words: str, price: int) -> None:
    page = observation(
        f"text Book the {words} flight",
        "text 9h 5m",
        "button Book for $80 #",
        "text 2h",
        "button Book for $200 #",
    )
    assert play(orders.buy_ticket, page) == [f"click Book for ${price}"]


def test_dishes_by_name_and_by_kind() -> None:
    menu = ("text Soup", "img vegan", "button Add one #", "text Pie", "button Add one #")
    by_name = observation("text Order one of each item: Pie", *menu, "button Order! #")
    assert play(orders.order_food, by_name) == ["click Add one", "click Order!"]
    by_kind = observation("text Order 2 items that are vegan", *menu, "button Order! #")
    assert play(orders.order_food, by_kind) == ["click Add one", "click Add one", "click Order!"]
