"""All templates in the tracker."""

from __future__ import annotations

from envs.gyms.apps.trac.tasks_project import PROJECT_TASKS
from envs.gyms.apps.trac.tasks_questions import QUESTIONS
from envs.gyms.apps.trac.tasks_tickets import TICKET_TASKS

TEMPLATES = TICKET_TASKS + PROJECT_TASKS + QUESTIONS
