"""All task templates of the help desk, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.desk import (
    tasks_assignment,
    tasks_board,
    tasks_bulk_changes,
    tasks_copying,
    tasks_details,
    tasks_merging,
    tasks_questions,
    tasks_sub_tickets,
    tasks_writing,
)

TEMPLATES = (
    *tasks_assignment.TEMPLATES,
    *tasks_writing.TEMPLATES,
    *tasks_details.TEMPLATES,
    *tasks_merging.TEMPLATES,
    *tasks_sub_tickets.TEMPLATES,
    *tasks_copying.TEMPLATES,
    *tasks_bulk_changes.TEMPLATES,
    *tasks_questions.TEMPLATES,
    *tasks_board.TEMPLATES,
)
