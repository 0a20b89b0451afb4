"""Mail as a gym."""

from __future__ import annotations

# The pages register themselves with the app.
import envs.gyms.mail.reading
import envs.gyms.mail.settings  # noqa: F401
from envs.gyms.kit.gym import AppGym
from envs.gyms.mail.app import MAIL
from envs.gyms.mail.tasks import TEMPLATES

GYM = AppGym("mail", (MAIL,), TEMPLATES)
