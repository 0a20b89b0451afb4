"""The gyms by name."""

from __future__ import annotations

from envs.gyms.gym import WebGym
from envs.gyms.shop.gym import Shop

_GYMS: dict[str, WebGym] = {gym.name: gym for gym in (Shop(),)}


def get_gym(name: str) -> WebGym:
    """Raises KeyError with the known names."""
    gym = _GYMS.get(name)
    if gym is None:
        raise KeyError(f"there is no gym {name!r}; there are: {', '.join(_GYMS)}")
    return gym


def list_gyms() -> list[str]:
    return list(_GYMS)
