"""The portal's state in the world of seed 1, and a person in it."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people.data import make_state
from envs.gyms.kit.company import get_company
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import State


@pytest.fixture
def portal() -> State:
    return make_state(get_company(1))


@pytest.fixture
def person(portal: State) -> Item:
    """Somebody with a manager."""
    led: Item = next(person for person in portal["staff"] if person["manager"])
    return led
