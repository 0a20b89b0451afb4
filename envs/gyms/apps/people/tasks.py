"""All of the portal's task templates, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.people import (
    tasks_access,
    tasks_announcements,
    tasks_candidates,
    tasks_comparisons,
    tasks_expenses,
    tasks_hire,
    tasks_leave,
    tasks_leave_requests,
    tasks_onboarding,
    tasks_questions,
    tasks_staff,
)

TEMPLATES = (
    *tasks_questions.TEMPLATES,
    *tasks_comparisons.TEMPLATES,
    *tasks_leave.TEMPLATES,
    *tasks_leave_requests.TEMPLATES,
    *tasks_staff.TEMPLATES,
    *tasks_expenses.TEMPLATES,
    *tasks_candidates.TEMPLATES,
    *tasks_onboarding.TEMPLATES,
    *tasks_announcements.TEMPLATES,
    *tasks_access.TEMPLATES,
    *tasks_hire.TEMPLATES,
)
