"""WordPress as a gym; GYM is None where it is not installed."""

from __future__ import annotations

import random

from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.content import slug_of
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.kit.app import App
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.real.installed import find_application
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    name = f"Notes {rng.randrange(10_000)}"
    state["categories"][name] = {"slug": slug_of(name), "description": "", "parent": ""}


APPLICATION = WordPress()
APP = App(
    name="wordpress",
    title="Site",
    nav=(),
    make_state=APPLICATION.make_state,
    make_stray_change=_make_stray_change,
)
GYM = (
    ApplicationGym(APPLICATION, APP, TEMPLATES, start="/wp-admin/index.php")
    if find_application("wordpress")
    else None
)
