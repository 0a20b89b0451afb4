"""Ways through a small map: any way that follows the roads and is short enough is right."""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Mapping, Sequence

from trainer.naming.names import sample_names
from trainer.reasoning.problem import Problem

Roads = Mapping[str, Sequence[str]]


def make_plan(rng: random.Random) -> Problem:
    """A map of five to seven places; the way has at least two roads, and some to spare."""
    while True:
        places = sample_names(rng, rng.randint(5, 7))
        roads = _sample_roads(places, rng)
        start, goal = rng.sample(places, 2)
        way = shortest_way(roads, start, goal)
        if way is not None and len(way) > 2:
            break
    most = len(way)
    return Problem(
        kind="plans",
        lines=tuple(f"{place}: to {', '.join(roads[place])}" for place in places if roads[place]),
        question=f"Name the places on a way from {start} to {goal}, at most {most}, "
        "with commas between them.",
        answer=", ".join(way),
        is_right=lambda answer: is_way(roads, start, goal, most, _places(answer)),
    )


def _sample_roads(places: Sequence[str], rng: random.Random) -> dict[str, list[str]]:
    """One-way roads, one or two from most places."""
    return {
        place: rng.sample([other for other in places if other != place], rng.randint(0, 2))
        for place in places
    }


def shortest_way(roads: Roads, start: str, goal: str) -> list[str] | None:
    """By breadth first; None where there is none."""
    queue = deque([[start]])
    seen = {start}
    while queue:
        way = queue.popleft()
        if way[-1] == goal:
            return way
        for place in roads[way[-1]]:
            if place not in seen:
                seen.add(place)
                queue.append([*way, place])
    return None


def is_way(roads: Roads, start: str, goal: str, most: int, way: Sequence[str]) -> bool:
    """Whether it begins and ends right, is short enough, and each road exists."""
    if not 2 <= len(way) <= most or way[0] != start or way[-1] != goal:
        return False
    return all(after in roads.get(before, ()) for before, after in itertools.pairwise(way))


def _places(answer: str) -> list[str]:
    return [part.strip() for part in answer.rstrip(".").split(",")]
