"""The help desk as a gym, with the pages of all its places."""

from __future__ import annotations

# The pages register themselves with the app.
import envs.gyms.desk.board
import envs.gyms.desk.canned
import envs.gyms.desk.lists
import envs.gyms.desk.ticket
import envs.gyms.desk.ties  # noqa: F401
from envs.gyms.desk.app import DESK
from envs.gyms.desk.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("desk", (DESK,), TEMPLATES)
