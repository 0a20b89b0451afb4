"""Mail as a gym."""

from __future__ import annotations

from envs.gyms.apps.mail.app import MAIL
from envs.gyms.apps.mail.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("mail", (MAIL,), TEMPLATES)
