"""MediaWiki as a gym; GYM is None where it is not installed."""

from __future__ import annotations

import random

from envs.gyms.apps.mediawiki.application import MediaWiki
from envs.gyms.apps.mediawiki.tasks import TEMPLATES
from envs.gyms.kit.app import App
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.real.installed import find_application
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    state["pages"][f"Notes {rng.randrange(10_000)}"] = "A page that nobody asked for."


APPLICATION = MediaWiki()
APP = App(
    name="mediawiki",
    title="Handbook",
    nav=(),
    make_state=APPLICATION.make_state,
    make_stray_change=_make_stray_change,
)
GYM = (
    ApplicationGym(APPLICATION, APP, TEMPLATES, start="/wiki/Main_Page")
    if find_application("mediawiki")
    else None
)
