"""The apps together as a gym; a session begins in Mail."""

from __future__ import annotations

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.apps.suite.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("suite", (MAIL, BILLING, CALENDAR, DESK, DRIVE, PEOPLE), TEMPLATES)
