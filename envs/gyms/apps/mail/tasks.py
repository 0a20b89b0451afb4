"""All of mail's task templates, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.mail import (
    tasks_folders,
    tasks_invoices,
    tasks_lists,
    tasks_messages,
    tasks_rules,
    tasks_settings,
    tasks_writing,
)

TEMPLATES = (
    *tasks_messages.TEMPLATES,
    *tasks_writing.TEMPLATES,
    *tasks_invoices.TEMPLATES,
    *tasks_lists.TEMPLATES,
    *tasks_folders.TEMPLATES,
    *tasks_rules.TEMPLATES,
    *tasks_settings.TEMPLATES,
)
