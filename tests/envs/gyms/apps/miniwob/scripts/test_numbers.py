"""Scripts that compare, compute, guess and wait."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import numbers
from tests.envs.gyms.apps.miniwob.play import observation, play

SUBMIT = "button Submit #"


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("Generate an even number and press submit", [0, 2, 4]),
        ("Generate an odd number and press submit", [1, 3]),
        ("Generate a number less than 2, then press submit", [0, 1]),
        ("Generate a number greater than 2, then press submit", [3, 4]),
    ],
)
def test_conditions_of_numbers(query: str, fitting: list[int]) -> None:
    assert [number for number in range(5) if numbers.number_test(query)(number)] == fitting


@pytest.mark.parametrize(
    ("problem", "solution"), [("6 + 7", "13"), ("6 - 7", "-1"), ("6 x 7", "42"), ("6 * 7", "42")]
)
def test_arithmetic(problem: str, solution: str) -> None:
    page = observation("text Solve the math problem", f"text {problem}", "box #", SUBMIT)
    assert play(numbers.arithmetic, page) == [f"type {solution}", "click Submit"]


@pytest.mark.parametrize(
    ("equation", "x"), [("x + 2 9", 7), ("2 + x 9", 7), ("x - 2 9", 11), ("2 - x 9", -7)]
)
def test_algebra(equation: str, x: int) -> None:
    page = observation("text Solve for x", f"text {equation}", "box #", SUBMIT)
    assert play(numbers.algebra, page) == [f"type {x}", "click Submit"]


def test_guesses_halve_what_is_left() -> None:
    lines = ("text Guess the number between 0-9", "box #", SUBMIT)
    start = observation(*lines)
    higher = observation(*lines, "text The number is higher than 4.")
    lower = observation(*lines, "text The number is lower than 7.")
    moves = play(numbers.guess_number, start, start, higher, higher, lower, lower, lower)
    assert moves[:6:2] == ["type 4", "type 7", "type 5"]


def test_cards_and_odd_numbers() -> None:
    query = "text Find and pick the card with the greatest number, then press submit."
    hidden = ("button hidden card #",) * 2
    pages = [
        observation(query, *hidden, SUBMIT),
        observation(query, "button card 3 #", hidden[1], SUBMIT),
        observation(query, hidden[0], "button card 8 #", SUBMIT),
    ]
    assert play(numbers.greatest_card, *pages)[-2:] == ["click card 8", "click Submit"]
    buttons = ("button Odd #", "button Even #")
    page = observation("text Mark the numbers", "text -3", *buttons, "text 4", *buttons, SUBMIT)
    assert play(numbers.odd_or_even, page) == ["click Odd", "click Even", "click Submit"]


def test_a_stock_is_bought_at_its_price_or_below() -> None:
    lines = ("text Buy FOO stock when the price is less than $40.50.", "button Buy #")
    pages = [observation(*lines, f"text Stock price: ${price}") for price in ("41.00", "40.50")]
    assert play(numbers.stock_price, *pages) == ["wait", "click Buy"]
