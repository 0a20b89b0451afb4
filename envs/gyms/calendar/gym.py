"""The calendar as a gym."""

from __future__ import annotations

from envs.gyms.calendar.places import CALENDAR
from envs.gyms.calendar.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("calendar", (CALENDAR,), TEMPLATES)
