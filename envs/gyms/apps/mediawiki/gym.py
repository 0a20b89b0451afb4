"""MediaWiki as a gym; GYM is None where it is not installed."""

from __future__ import annotations

import random

from envs.gyms.apps.mediawiki.application import MediaWiki, get_handbook
from envs.gyms.apps.mediawiki.state import make_state
from envs.gyms.apps.mediawiki.tasks import TEMPLATES
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.real.installed import find_application
from envs.gyms.server.gym import State


def _make_state(world: Company) -> State:
    return make_state(world, get_handbook(world.seed))


def _make_stray_change(state: State, rng: random.Random) -> None:
    state["pages"][f"Notes {rng.randrange(10_000)}"] = "A page that nobody asked for."


APP = App(
    name="mediawiki",
    title="Handbook",
    nav=(),
    make_state=_make_state,
    make_stray_change=_make_stray_change,
)
GYM = (
    ApplicationGym(MediaWiki(), APP, TEMPLATES, start="/wiki/Main_Page")
    if find_application("mediawiki")
    else None
)
