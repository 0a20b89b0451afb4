"""People as a gym, with the pages of all its places."""

from __future__ import annotations

# The pages register themselves with the app.
import envs.gyms.people.access
import envs.gyms.people.announcements
import envs.gyms.people.expenses
import envs.gyms.people.hire
import envs.gyms.people.onboarding
import envs.gyms.people.openings  # noqa: F401
from envs.gyms.kit.gym import AppGym
from envs.gyms.people.app import PEOPLE
from envs.gyms.people.tasks import TEMPLATES

GYM = AppGym("people", (PEOPLE,), TEMPLATES)
