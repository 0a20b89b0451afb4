"""All task templates of the calendar, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.calendar import (
    tasks_attendees,
    tasks_booking,
    tasks_cancelling,
    tasks_creating,
    tasks_invitations,
    tasks_moving,
    tasks_preferences,
    tasks_questions,
    tasks_rooms,
)

TEMPLATES = (
    *tasks_questions.TEMPLATES,
    *tasks_invitations.TEMPLATES,
    *tasks_creating.TEMPLATES,
    *tasks_moving.TEMPLATES,
    *tasks_cancelling.TEMPLATES,
    *tasks_attendees.TEMPLATES,
    *tasks_rooms.TEMPLATES,
    *tasks_booking.TEMPLATES,
    *tasks_preferences.TEMPLATES,
)
