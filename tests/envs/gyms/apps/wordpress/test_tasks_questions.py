"""Tasks on the lists: what earns success."""

from __future__ import annotations

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.apps.wordpress.tasks_questions import QUESTIONS
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(WordPress(), APP, TEMPLATES)
"""Rules and verdicts need no WordPress."""


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, QUESTIONS, seed=base + 5)
