"""WordPress as a gym; GYM is None where it is not installed."""

from __future__ import annotations

import random

from envs.gyms.apps.wordpress.application import WordPress, get_site
from envs.gyms.apps.wordpress.state import make_state
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.real.installed import find_application
from envs.gyms.server.gym import State


def _make_state(world: Company) -> State:
    return make_state(world, get_site(world.seed))


def _make_stray_change(state: State, rng: random.Random) -> None:
    state["categories"][f"Notes {rng.randrange(10_000)}"] = {"description": "", "parent": ""}


APP = App(
    name="wordpress",
    title="Site",
    nav=(),
    make_state=_make_state,
    make_stray_change=_make_stray_change,
)
GYM = (
    ApplicationGym(WordPress(), APP, TEMPLATES, start="/wp-admin/index.php")
    if find_application("wordpress")
    else None
)
