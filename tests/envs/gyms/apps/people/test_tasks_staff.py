"""Tasks on a person's contact data and pay: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_staff import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "move_house": (
            "Marta Jansen has moved to 230 High Street, 31224 Oslo, and has the phone +1 555 398 "
            "2389 now. The emergency contact is Maria Roux, +1 555 363 9215. Update the contact "
            "data."
        ),
        "manager_in_emergency": (
            "In an emergency, Marc Stein's manager shall be called. Enter the manager's name and "
            "phone as emergency contact of Marc Stein."
        ),
        "change_pay": (
            "Lena Petrov is promoted to band B1 with a salary of 35.500,00 €, paid to account "
            "XC12 0125 3336 1577. Update the pay."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
