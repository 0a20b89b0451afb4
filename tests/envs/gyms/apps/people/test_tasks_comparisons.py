"""Questions that compare: who was hired last or earlier, which claim is the largest."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_comparisons import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "newest_colleague": (
            "Who in the department Finance of Willowby was hired last? Answer with the name."
        ),
        "hired_earlier": (
            "Which of these people was hired first: Karl Moreau, Luca Duarte, Jan Gruber, "
            "Sven Novak?"
        ),
        "largest_claim": (
            "Among the submitted expense reports of Willowby, how much is the largest?"
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
