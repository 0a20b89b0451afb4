"""All gyms by name: the web gyms, generated ones and sets of them, task templates on desktops."""

from __future__ import annotations

from functools import cache

from envs.gyms.generated.gym_set import find_set
from envs.gyms.server.gym import Gym
from envs.gyms.server.registry import find_generated_gym, unknown_gym, web_gyms
from tasksets.desktop.gym import GYM as DESKTOP


@cache
def gyms() -> dict[str, Gym]:
    """The shop first, then by name."""
    all_gyms: list[Gym] = [*web_gyms().values(), DESKTOP]
    return {
        gym.name: gym for gym in sorted(all_gyms, key=lambda gym: (gym.name != "shop", gym.name))
    }


def get_gym(name: str) -> Gym:
    """Raises KeyError with the known names."""
    gym: Gym | None = gyms().get(name) or find_generated_gym(name) or find_set(name)
    if gym is None:
        raise unknown_gym("gym", name, gyms())
    return gym
