"""All of the portal's task templates, in the order in which the gym names them."""

from __future__ import annotations

from envs.gyms.people import (
    tasks_access,
    tasks_announcements,
    tasks_candidates,
    tasks_expenses,
    tasks_hire,
    tasks_leave,
    tasks_onboarding,
    tasks_questions,
    tasks_staff,
)

TEMPLATES = (
    *tasks_questions.TEMPLATES,
    *tasks_leave.TEMPLATES,
    *tasks_staff.TEMPLATES,
    *tasks_expenses.TEMPLATES,
    *tasks_candidates.TEMPLATES,
    *tasks_onboarding.TEMPLATES,
    *tasks_announcements.TEMPLATES,
    *tasks_access.TEMPLATES,
    *tasks_hire.TEMPLATES,
)
