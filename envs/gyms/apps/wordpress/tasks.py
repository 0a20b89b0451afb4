"""All templates on the site."""

from __future__ import annotations

from envs.gyms.apps.wordpress.tasks_posts import POSTS
from envs.gyms.apps.wordpress.tasks_questions import QUESTIONS
from envs.gyms.apps.wordpress.tasks_site import SITE

TEMPLATES = POSTS + SITE + QUESTIONS
