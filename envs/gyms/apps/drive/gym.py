"""The drive as a gym."""

from __future__ import annotations

from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("drive", (DRIVE,), TEMPLATES)
