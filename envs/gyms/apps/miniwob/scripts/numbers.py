"""Scripts for tasks about numbers: comparing, computing, guessing and waiting for them."""

from __future__ import annotations

import re
from collections.abc import Callable

from envs.contract.actions import Wait
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script, act

_MAX_GENERATED = 60
_MAX_WAITS = 100


def greatest_card(page: LivePage) -> Moves:
    """All cards are turned over in turn; only one shows its number at a time."""
    numbers: list[int] = []
    for index in range(len(page.all("button")) - 1):
        yield page.click(page.all("button")[index], "I turn this card over.")
        cards = [line.name for line in page.all("button") if line.name.startswith("card ")]
        numbers.append(int(cards[0].split()[1]))
    best = numbers.index(max(numbers))
    yield page.click(page.all("button")[best], f"{max(numbers)} is the greatest.")
    yield page.submit()


def number_generator(page: LivePage) -> Moves:
    """Generates random numbers until one fits the query."""
    fits = number_test(page.query)
    for _ in range(_MAX_GENERATED):
        yield page.click(page.get("Generate"))
        if fits(int(page.texts[0])):
            break
    yield page.submit()


def number_test(query: str) -> Callable[[int], bool]:
    """The condition in a query: odd, even, less than n or greater than n."""
    match = re.search(r"(less|greater) than (\d+)", query)
    if match is None:
        return (lambda n: n % 2 == 1) if "odd" in query else (lambda n: n % 2 == 0)
    bound = int(match[2])
    return (lambda n: n < bound) if match[1] == "less" else (lambda n: n > bound)


def odd_or_even(page: LivePage) -> Moves:
    """Each of three numbers has a button "Odd" and a button "Even"."""
    for index, text in enumerate(page.texts[:3]):
        is_odd = int(text) % 2 == 1
        line = page.all("button")[2 * index + (0 if is_odd else 1)]
        yield page.click(line, f"{text} is {line.name.lower()}.")
    yield page.submit()


def arithmetic(page: LivePage) -> Moves:
    """A sum, a difference or a product of two numbers."""
    left, sign, right = page.texts[0].split()
    a, b = int(left), int(right)
    yield page.write(page.box(), str({"+": a + b, "-": a - b}.get(sign, a * b)))
    yield page.submit()


def algebra(page: LivePage) -> Moves:
    """One operand of a sum or a difference is x. The tree drops the equals sign."""
    left, sign, right, result = page.texts[0].replace("=", " ").split()
    value = int(result)
    if sign == "+":
        x = value - int(right if left == "x" else left)
    else:
        x = value + int(right) if left == "x" else int(left) - value
    yield page.write(page.box(), str(x))
    yield page.submit()


def guess_number(page: LivePage) -> Moves:
    """Binary search between 0 and 9."""
    low, high = 0, 9
    while low <= high:
        number = (low + high) // 2
        yield page.write(page.box(), str(number), f"From {low} to {high}.")
        yield page.submit()
        if "higher than" in " ".join(page.texts):
            low = number + 1
        else:
            high = number - 1


def stock_price(page: LivePage) -> Moves:
    """Waits until the price is low enough. The page's clock moves only with actions."""
    limit = float(page.match_query(r"less than \$([\d.]+\d)")[0])
    for _ in range(_MAX_WAITS):
        price = next((text for text in page.texts if "price: $" in text), "")
        if price and float(price.split("$")[1]) <= limit:
            yield page.click(page.get("Buy"), "The price is low enough: I buy.")
            return
        yield act("The price is too high: I wait.", Wait(ms=100))


SCRIPTS: dict[str, Script] = {
    "find-greatest": greatest_card,
    "generate-number": number_generator,
    "odd-or-even": odd_or_even,
    "simple-arithmetic": arithmetic,
    "simple-algebra": algebra,
    "guess-number": guess_number,
    "stock-market": stock_price,
}
