"""The gyms by name: every package beside this file whose module `gym` has a GYM.

A gym whose own requirements are not installed is left out; asking for it says what to install.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from envs.gyms.gym import Gym, WebGym
from envs.gyms.kit.gym import apps_of

NOT_GYMS = ("kit",)
EXTRAS = ("miniwob",)
"""Gyms that need a package of others; GYM is None without it."""


@cache
def gyms() -> dict[str, Gym]:
    """All, in the order of their names; the shop, which everything begins with, first."""
    folders = sorted(
        found.name
        for found in pkgutil.iter_modules([str(Path(__file__).parent)])
        if found.ispkg and found.name not in NOT_GYMS
    )
    made = [import_module(f"envs.gyms.{folder}.gym").GYM for folder in folders]
    found: list[Gym] = [gym for gym in made if gym is not None]
    return {gym.name: gym for gym in sorted(found, key=lambda gym: gym.name != "shop")}


def get_gym(name: str) -> Gym:
    """Raises KeyError with the known names."""
    gym = gyms().get(name)
    if gym is None:
        raise _missing("gym", name, gyms())
    return gym


def get_web_gym(name: str) -> WebGym:
    """Raises KeyError with the known names."""
    gym = web_gyms().get(name)
    if gym is None:
        raise _missing("web gym", name, web_gyms())
    return gym


def _missing(kind: str, name: str, known: Iterable[str]) -> KeyError:
    if name in EXTRAS:
        return KeyError(f"the gym {name!r} is not installed: pip install 'deskhand[{name}]'")
    return KeyError(f"there is no {kind} {name!r}; there are: {', '.join(known)}")


@cache
def web_gyms() -> dict[str, WebGym]:
    """Those that the gym server serves."""
    return {name: gym for name, gym in gyms().items() if gym.env == "browser"}  # type: ignore[misc]


def site_tools() -> list[dict[str, Any]]:
    """Schemas of the API tools of all apps."""
    apps = {app.name: app for gym in gyms().values() for app in apps_of(gym.name)}
    return [tool.schema() for app in apps.values() for tool in app.tools]
