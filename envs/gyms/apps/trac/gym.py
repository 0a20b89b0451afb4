"""Trac as a gym; GYM is None where it is not installed."""

from __future__ import annotations

import random

from envs.gyms.apps.trac.application import Trac
from envs.gyms.apps.trac.tasks import TEMPLATES
from envs.gyms.kit.app import App
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.real.installed import find_application
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    state["versions"][f"9.{rng.randrange(10_000)}"] = ""


APPLICATION = Trac()
APP = App(
    name="trac",
    title="Tracker",
    nav=(),
    make_state=APPLICATION.make_state,
    make_stray_change=_make_stray_change,
)
GYM = (
    ApplicationGym(APPLICATION, APP, TEMPLATES, start="/wiki") if find_application("trac") else None
)
