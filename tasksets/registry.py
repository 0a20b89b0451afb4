"""All gyms by name: the web gyms, and the task templates on desktops."""

from __future__ import annotations

from functools import cache

from envs.gyms.server.gym import Gym
from envs.gyms.server.registry import unknown_gym, web_gyms
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
    gym = gyms().get(name)
    if gym is None:
        raise unknown_gym("gym", name, gyms())
    return gym
