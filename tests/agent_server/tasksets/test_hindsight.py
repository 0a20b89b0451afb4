"""Changes of a state in words."""

from __future__ import annotations

from typing import Any

import pytest

from agent_server.tasksets.hindsight import describe, kind_of
from envs.state.canonical import diff

STATE: dict[str, Any] = {
    "shop": {
        "cart": [{"id": "1", "product": "p36", "color": "Grey", "qty": 1}],
        "coupon": None,
        "people": [{"id": "u7", "name": "Ann Lee", "boss": ""}, {"id": "u8", "name": "Bo"}],
        "tags": ["new"],
        "wishes": [],
    }
}


def change(**parts: Any) -> dict[str, Any]:
    return {"shop": STATE["shop"] | parts}


def words(after: dict[str, Any]) -> str | None:
    return describe("Opal Coat", STATE, diff(STATE, after))


LINE = {"id": "2", "product": "p4", "color": "Red", "size": "M", "qty": 2, "gift": False}
PEOPLE = STATE["shop"]["people"]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (
            change(cart=[*STATE["shop"]["cart"], LINE]),
            "add it to cart: color Red, size M, qty 2, gift no",
        ),
        (change(coupon="SAVE10"), "set the coupon in shop to SAVE10"),
        (
            change(people=[PEOPLE[0] | {"boss": "u8"}, PEOPLE[1]]),
            "set the boss of Ann Lee to Bo",
        ),
        (change(people=PEOPLE[:1]), "remove Bo from people"),
        (change(tags=["new", "sale"]), "add sale to tags"),
        (change(wishes=[{"id": "p4"}]), "add it to wishes"),
        (change(cart=[]), "remove it from cart"),
    ],
)
def test_a_change_is_said_by_the_names_that_a_person_sees(
    after: dict[str, Any], expected: str
) -> None:
    assert words(after) == f'On the page "Opal Coat": {expected}.'


@pytest.mark.parametrize(
    "after",
    [
        STATE,
        change(coupon="p99"),
        change(people=[PEOPLE[0] | {"boss": "u8"}, PEOPLE[1]], coupon="p99"),
        change(tags=[f"t{'x' * 9}{n}" for n in range(9)]),
        change(coupon=""),
        change(wishes=[{"id": "p4"}, {"id": "p5"}]),
    ],
)
def test_what_has_no_words_is_no_task(after: dict[str, Any]) -> None:
    assert words(after) is None


def test_a_kind_names_the_list_and_not_its_records() -> None:
    added = diff(STATE, change(cart=[]))
    assert kind_of(added) == "shop-cart"
    assert kind_of(diff({"cart": []}, {"cart": [LINE]})) == "cart"


def test_a_thing_of_another_page_is_not_called_it() -> None:
    changes = diff(STATE, change(wishes=[{"id": "p4"}]))
    assert describe("Opal Coat", STATE, changes, is_one_place=False) is None
