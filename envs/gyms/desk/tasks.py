"""All of the help desk's task templates, in the order in which the gym names them."""

from __future__ import annotations

from envs.gyms.desk import tasks_board, tasks_pairs, tasks_questions, tasks_several, tasks_ticket

TEMPLATES = (
    *tasks_ticket.TEMPLATES,
    *tasks_pairs.TEMPLATES,
    *tasks_several.TEMPLATES,
    *tasks_questions.TEMPLATES,
    *tasks_board.TEMPLATES,
)
