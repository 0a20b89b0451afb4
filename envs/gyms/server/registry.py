"""The web gyms by name: every package of `envs.gyms.apps` whose module `gym` has a GYM, those that
a program adds for itself, and generated ones, which are made when they are asked for.

A gym whose own requirements are not installed is left out; asking for it says what to install.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from envs.contract.validation import suggest_names
from envs.gyms import apps
from envs.gyms.kit.gym import AppGym, apps_of
from envs.gyms.server.gym import ApplicationOwned, WebGym

GENERATED = "envs.gyms.generated.catalogue"
"""The module that makes gyms by name; imported when a name is none of the others."""
SCRIPTS = "envs.gyms.generated.page_script"
"""The module of what their pages load besides."""
EXTRAS = {
    "miniwob": "pip install 'deskhand[miniwob]'",
    "mediawiki": "scripts/setup.sh applications",
    "trac": "scripts/setup.sh applications",
    "wordpress": "scripts/setup.sh applications",
}
"""How to install what a gym needs; its GYM is None without it."""


@cache
def web_gyms() -> dict[str, WebGym]:
    """All, in the order of their names; the shop, which everything begins with, first."""
    folders = sorted(module.name for module in pkgutil.iter_modules(apps.__path__) if module.ispkg)
    installed: list[WebGym] = [
        gym
        for folder in folders
        if (gym := import_module(f"{apps.__name__}.{folder}.gym").GYM) is not None
    ]
    return {gym.name: gym for gym in sorted(installed, key=lambda gym: gym.name != "shop")}


def kit_gyms() -> list[AppGym[Any]]:
    """Those whose pages are the kit's own."""
    gyms = web_gyms().values()
    return [
        gym for gym in gyms if isinstance(gym, AppGym) and not isinstance(gym, ApplicationOwned)
    ]


def get_web_gym(name: str) -> WebGym:
    """Raises KeyError with the known names."""
    gym = web_gyms().get(name) or find_generated_gym(name)
    if gym is None:
        raise unknown_gym("web gym", name, web_gyms())
    return gym


def find_generated_gym(name: str) -> WebGym | None:
    """The generated gym of this name; None where there is none."""
    gym: WebGym | None = import_module(GENERATED).find_gym(name)
    return gym


def expand_generated(name: str) -> tuple[str, ...]:
    """The generated gyms that the name of a set stands for, such as "gen-train:40"; () for other
    names."""
    names: tuple[str, ...] = import_module(GENERATED).expand_set(name)
    return names


def find_page_script(name: str) -> bytes | None:
    """A script that pages of generated gyms load; None where there is none of this name."""
    script: bytes | None = import_module(SCRIPTS).find_script(name)
    return script


def add_web_gym(gym: WebGym) -> None:
    """Makes a gym known in this process only, before its pages are served. Raises ValueError for a
    name that is taken."""
    if web_gyms().setdefault(gym.name, gym) is not gym:
        raise ValueError(f"there is a web gym {gym.name!r} already")


def unknown_gym(kind: str, name: str, known: Iterable[str]) -> KeyError:
    """The error for a name that no gym has; it says what there is or what to install."""
    if name in EXTRAS:
        return KeyError(f"the gym {name!r} is not installed: {EXTRAS[name]}")
    names = tuple(known)
    hint = suggest_names(name, names)
    return KeyError(f"there is no {kind} {name!r}{hint}; there are: {', '.join(names)}")


def site_tools(generated: str | None = None) -> list[dict[str, Any]]:
    """Schemas of the API tools of all apps, and of the generated gym that is named."""
    gyms = list(web_gyms().values())
    if generated and (gym := find_generated_gym(generated)) is not None:
        gyms.append(gym)
    apps_by_name = {app.name: app for gym in gyms for app in apps_of(gym.name)}
    return [tool.schema() for app in apps_by_name.values() for tool in app.tools]
