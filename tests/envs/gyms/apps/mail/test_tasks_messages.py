"""Tasks on one message: star, mark, delete, move, label it."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_messages import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "star": "Star the message “Re: Hiring plan first version” from Fiona Rossi.",
        "mark_unread": (
            "Mark the message “Invoice HT-3086” from Emma Falk, Harbor Tools as unread."
        ),
        "delete": (
            "Delete the message “Harbor Notes Daily no. 29” from Harbor Notes Daily; it may stay "
            "in Trash."
        ),
        "move": "“New terms” by Viktor Costa, Harbor Foods belongs in Offers. Put it there.",
        "label": "Label “Re: Price list for autumn” by Paula Silva as Customer.",
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
