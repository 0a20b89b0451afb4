"""Scripts for tasks about what is drawn: shapes, shades, points, a pie menu.

The names of drawn elements come from `page.js`, which reads them off the drawing's attributes.
"""

from __future__ import annotations

import re

from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script, list_refs
from envs.gyms.server.gym import OracleLost

_SHAPES = ("circle", "rectangle", "triangle")
_NAME = re.compile(r"(large|small) (\w+) (\w+)")
_SHADE = re.compile(r"rgb\((\d+), (\d+), (\d+)\) shade")
_CHANNELS = ("red", "green", "blue")


def click_shape(page: LivePage) -> Moves:
    """Any shape, letter or digit that fits the query."""
    description = page.match_query(r"Click on an? (.*)")[0]
    for line in page.all("button"):
        if is_described(line.name, description):
            yield page.click(line)
            return
    raise OracleLost(f"no {description}")


def count_shapes(page: LivePage) -> Moves:
    """How many fit the query; the answers are buttons."""
    description = page.match_query(r"How many (.*)s are there")[0]
    names = [line.name for line in page.lines if line.role == "img"]
    fitting = [name for name in names if is_described(name, description)]
    evidence = f"{', '.join(fitting) or 'None'}: {len(fitting)}."
    yield page.click(page.get(str(len(fitting)), "button"), evidence)


def identify_shape(page: LivePage) -> Moves:
    """A button for each kind of shape, one for letters and one for digits."""
    name = next(line.name for line in page.lines if line.role == "img")
    kind = name.split()[2]
    label = kind if kind in _SHAPES else "Number" if kind.isdigit() else "Letter"
    yield page.click(page.get(label, "button"))


def is_described(name: str, description: str) -> bool:
    """Whether "large red q" fits words such as "red letter", "small item" or "q".

    Raises OracleLost for a name of another form."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise OracleLost(f"not the name of a shape: {name}")
    size, color, kind = match.groups()
    *adjectives, noun = description.split()
    group = "shape" if kind in _SHAPES else "digit" if kind.isdigit() else "letter"
    return set(adjectives) <= {size, color} and noun in ("item", kind, group)


def shades(page: LivePage) -> Moves:
    """All squares in shades of one color."""
    color = page.match_query(r"shades of (\w+)")[0]
    for _ in page.all("check"):
        lines = [line for line in page.all("check") if not line.states]
        left = [line for line in lines if shade_of(line.name) == color]
        if not left:
            break
        yield page.click(left[0], f"{color}: {list_refs(left)}.", called="")
    yield page.submit(f"{color}: none left.")


def shade_of(name: str) -> str:
    """The primary color that "rgb(120, 59, 59) shade" is a shade of. Raises OracleLost."""
    match = _SHADE.fullmatch(name)
    if match is None:
        raise OracleLost(f"not a shade: {name}")
    values = [int(value) for value in match.groups()]
    return _CHANNELS[values.index(max(values))]


def grid_point(page: LivePage) -> Moves:
    """A point of a grid by its coordinates."""
    x, y = page.match_query(r"\((-?\d),(-?\d)\)")
    point = page.get(f"point ({x}, {y})", "button")
    # A point is written as its number, which only follows from its line.
    yield page.click(point, f"{point.name} is #{point.ref}.")


def pie_menu(page: LivePage) -> Moves:
    """The menu opens by its middle; the item is one of its slices."""
    label = page.quoted_texts[0]
    yield page.click(page.get("+", "button"))
    yield page.click(page.get(label, "button"))


SCRIPTS: dict[str, Script] = {
    "click-shape": click_shape,
    "count-shape": count_shapes,
    "identify-shape": identify_shape,
    "click-shades": shades,
    "grid-coordinate": grid_point,
    "click-pie": pie_menu,
}
