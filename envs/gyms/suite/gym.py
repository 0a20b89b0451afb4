"""The apps together as a gym; a session begins in Mail."""

from __future__ import annotations

from envs.gyms.billing.app import BILLING
from envs.gyms.calendar.app import CALENDAR
from envs.gyms.desk.app import DESK
from envs.gyms.drive.app import DRIVE
from envs.gyms.kit.gym import AppGym
from envs.gyms.mail.app import MAIL
from envs.gyms.people.app import PEOPLE
from envs.gyms.suite.tasks import TEMPLATES

GYM = AppGym("suite", (MAIL, BILLING, CALENDAR, DESK, DRIVE, PEOPLE), TEMPLATES)
