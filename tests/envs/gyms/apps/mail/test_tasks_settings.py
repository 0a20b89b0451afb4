"""Tasks on the signature and the vacation responder."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_settings import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "vacation": (
            "I am away from 21.05.2026 to 07.06.2026. Have mail answer with: I am away. Please "
            "write to lars.sommer@willowby.example"
        ),
        "signature": "Below my messages shall stand: Emma Brandt, Willowby, room 3.15",
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
