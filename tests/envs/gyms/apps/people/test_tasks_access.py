"""Tasks on roles: pass one on, and ask for one that the portal refuses."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_access import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "move_role": (
            "Ida Sato takes over as Recruiter from Emil Weber: revoke the role of the one and "
            "grant it to the other."
        ),
        "role_conflict": (
            "Grant Emil Falk the role Payroll editor. If the portal refuses it, say that it "
            "cannot be done."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
