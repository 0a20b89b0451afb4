"""People as a gym."""

from __future__ import annotations

import envs.gyms.people.work  # noqa: F401  (its pages are the app's too)
from envs.gyms.kit.gym import AppGym
from envs.gyms.people.app import PEOPLE
from envs.gyms.people.tasks import TEMPLATES

GYM = AppGym("people", (PEOPLE,), TEMPLATES)
