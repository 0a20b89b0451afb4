"""The help desk as a gym."""

from __future__ import annotations

from envs.gyms.desk.app import DESK
from envs.gyms.desk.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("desk", (DESK,), TEMPLATES)
