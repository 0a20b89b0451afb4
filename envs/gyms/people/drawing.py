"""What the portal's templates draw, and the ways to people that they share.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, TypeVar

from envs.gyms.gym import OracleLost, Refused, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.look import Look
from envs.gyms.kit.template import Params, Redraw, saw
from envs.gyms.people.data import Item
from envs.gyms.view import Page

T = TypeVar("T")
PERSON = ("person", saw("people:person:{person}"))
DIRECTORY = ("directory", saw("people:staff"))
EXPENSES = ("expenses", saw("people:expenses"))


def part_of(state: State) -> State:
    part: State = state["people"]
    return part


def some(rng: random.Random, fits: list[T], what: str) -> T:
    if not fits:
        raise Redraw(f"there is no {what}")
    return rng.choice(fits)


def plain(world: Company, person: Item) -> Params:
    return {"person": person["id"], "name": person["name"], "locale": world.look.locale}


def allowed(state: State, rule: Callable[[State], Any]) -> None:
    """Redraws what a rule would refuse."""
    try:
        rule(copy.deepcopy(part_of(state)))
    except Refused as refusal:
        raise Redraw(str(refusal)) from refusal


def look_of(p: Params) -> Look:
    return Look(0, 0, p["locale"])


def first_shown(page: Page) -> str:
    """The first link of the list that is open."""
    shown = False
    for line in page.lines:
        shown = shown or " found, sorted by " in line.name
        if shown and line.role == "link":
            return line.name
    raise OracleLost("the list is empty")


def to_person(page: Page, name: str) -> ways.Way:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.search(page, name)
    return (yield from ways.open_item(page, name))


def draw_person(world: Company, rng: random.Random, state: State) -> Params:
    return plain(world, rng.choice(part_of(state)["staff"]))
