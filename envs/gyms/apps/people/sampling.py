"""How the portal's templates choose people and records for their params.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, TypeVar

from envs.gyms.apps.people.vocabulary import Item
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Params, Resample
from envs.gyms.server.gym import Refused, State

T = TypeVar("T")


def people_part(state: State) -> State:
    """The portal's part of a session's state."""
    part: State = state["people"]
    return part


def choose(rng: random.Random, candidates: list[T], description: str) -> T:
    """A random candidate. Raises Resample if there are none."""
    if not candidates:
        raise Resample(f"there is no {description}")
    return rng.choice(candidates)


def person_params(world: Company, person: Item) -> Params:
    """The params that name a person, and the world's locale."""
    return {"person": person["id"], "name": person["name"], "locale": world.locale.region}


def require_allowed(state: State, rule: Callable[[State], Any]) -> None:
    """Raises Resample for what a rule would refuse."""
    try:
        rule(copy.deepcopy(people_part(state)))
    except Refused as refusal:
        raise Resample(str(refusal)) from refusal


def sample_person(world: Company, rng: random.Random, state: State) -> Params:
    """Params of a random person."""
    return person_params(world, rng.choice(people_part(state)["staff"]))


def monday_from(world: Company, offset: int) -> str:
    """The first Monday at least `offset` days from today."""
    day = date.fromisoformat(world.day(offset))
    return (day + timedelta(days=-day.weekday() % 7)).isoformat()
