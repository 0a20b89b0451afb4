"""The calendar as a gym."""

from __future__ import annotations

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("calendar", (CALENDAR,), TEMPLATES)
