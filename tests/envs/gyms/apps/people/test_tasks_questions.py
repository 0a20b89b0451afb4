"""Questions on people and leave that one page answers."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_questions import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "waiting_count": "How many leave requests at Willowby wait for a decision?",
        "hired_on": "On which day was Ivan Rossi hired?",
        "salary_of": "Tell the yearly salary of Vera Gruber.",
        "group_size": (
            "How many people of Willowby work in Bergen, leaving out the department Operations?"
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
