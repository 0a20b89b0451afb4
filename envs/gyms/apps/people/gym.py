"""People as a gym."""

from __future__ import annotations

from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.apps.people.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("people", (PEOPLE,), TEMPLATES)
