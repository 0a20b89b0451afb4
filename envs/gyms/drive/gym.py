"""Drive as a gym."""

from __future__ import annotations

from envs.gyms.drive.sharing import DRIVE
from envs.gyms.drive.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("drive", (DRIVE,), TEMPLATES)
