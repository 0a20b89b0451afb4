"""The help desk as a gym."""

from __future__ import annotations

from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("desk", (DESK,), TEMPLATES)
