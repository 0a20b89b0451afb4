"""Scripts for tasks in which something is ordered: tickets, flights, dishes."""

from __future__ import annotations

import re

from envs.contract.actions import Scroll
from envs.contract.observations import TreeLine
from envs.gyms.apps.miniwob.scripts.calendar import pick_day
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script, act


def buy_ticket(page: LivePage) -> Moves:
    """The cheapest, most expensive, shortest or longest of several flights."""
    buttons = [line for line in page.all("button") if line.name.startswith("Book for")]
    durations = [text for text in page.texts if re.fullmatch(r"(\d+h ?)?(\d+m)?", text)]
    prices = [int(line.name.split("$")[1]) for line in buttons]
    if re.search("cost|price|expensive|cheap", page.query):
        values, take_max = prices, "most" in page.query
    else:
        values, take_max = [minutes_of(text) for text in durations], "longest" in page.query
    best = values.index(max(values) if take_max else min(values))
    yield page.click(buttons[best])


def book_flight(page: LivePage) -> Moves:
    """Start, goal and day into a search form, then the cheapest or shortest result."""
    criterion, start, goal, month, day, year = page.match_query(
        r"Book the (\w+) one-way flight from: (.*) to: (.*) on (\d+)/(\d+)/(\d+)"
    )
    for label, place in (("From:", start), ("To:", goal)):
        yield page.write(page.get(label, "box"), place)
        options = page.all("option", "menu")
        option = next(line for line in options if is_airport_of(line.name, place))
        yield page.click(option, f"{place} is #{option.ref}.", called="")
    yield page.click(page.box(2))
    yield from pick_day(page, int(year), int(month), int(day))
    yield page.click(page.get("Search", "button"))
    buttons = [line for line in page.all("button") if "$" in line.name]
    durations = [minutes_of(text) for text in page.texts if re.search(r"\d+h", text)]
    prices = [int(re.sub(r"\D", "", line.name)) for line in buttons]
    is_price = criterion == "cheapest"
    values = prices if is_price else durations
    texts = [f"${price}" for price in prices] if is_price else [_clock(m) for m in durations]
    best = values.index(min(values))
    evidence = ", ".join(f"{text} #{line.ref}" for text, line in zip(texts, buttons, strict=True))
    yield page.click(buttons[best], f"{evidence}: {texts[best]}.", called="")


def is_airport_of(airport: str, place: str) -> bool:
    """Whether "City, ST (CODE)" is the place, which is a code or the beginning of a name."""
    is_code = re.fullmatch(r"[A-Z]{3}", place) is not None
    return f"({place})" in airport if is_code else airport.lower().startswith(place.lower())


def minutes_of(text: str) -> int:
    """Minutes of a duration such as "2h 5m"; a missing part counts as 0."""
    hours, minutes = re.search(r"(\d+)h", text), re.search(r"(\d+)m", text)
    return 60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0)


def _clock(minutes: int) -> str:
    return f"{minutes // 60}h {minutes % 60}m"


def order_food(page: LivePage) -> Moves:
    """One of each dish that the query names, or several of one kind."""
    kinds_by_dish = _read_menu(page)
    named_dishes = re.search(r"each item: (.*)", page.query)
    if named_dishes:
        chosen = {name.strip() for name in named_dishes[1].split(", ")}
        for name in [dish for dish in kinds_by_dish if dish in chosen]:
            yield page.click(_add_button(page, name), f"One {name}.")
    else:
        count, kind = page.match_query(r"Order (\d+) items that are (.*)")
        name = next(dish for dish, kinds in kinds_by_dish.items() if kind in kinds)
        for _ in range(int(count)):
            yield page.click(_add_button(page, name), f"{name} is {kind}: one more.")
    if not page.find("Order!"):
        last = page.target(page.all("button")[-1])
        yield act("The order button must be further down.", Scroll(target=last, dy=10_000))
    yield page.click(page.get("Order!", "button"))


def _read_menu(page: LivePage) -> dict[str, list[str]]:
    """The kinds of each dish, which are told by the pictures behind its name."""
    dishes: list[tuple[str, list[str]]] = []
    for line in page.lines[1:]:
        if line.role == "text":
            dishes.append((line.name, []))
        elif line.role == "img" and dishes:
            dishes[-1][1].append(line.name)
    return dict(dishes)


def _add_button(page: LivePage, dish: str) -> TreeLine:
    index = next(n for n, line in enumerate(page.lines) if n and line.name == dish)
    return next(line for line in page.lines[index:] if line.name == "Add one")


SCRIPTS: dict[str, Script] = {
    "buy-ticket": buy_ticket,
    "book-flight": book_flight,
    "book-flight-nodelay": book_flight,
    "order-food": order_food,
}
