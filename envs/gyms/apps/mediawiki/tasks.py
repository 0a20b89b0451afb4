"""All templates on the handbook."""

from __future__ import annotations

from envs.gyms.apps.mediawiki.tasks_editing import EDITING
from envs.gyms.apps.mediawiki.tasks_pages import PAGES
from envs.gyms.apps.mediawiki.tasks_questions import QUESTIONS

TEMPLATES = EDITING + PAGES + QUESTIONS
