"""Tasks of `tasks_questions`: what earns success."""

from __future__ import annotations

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.trac.application import Trac
from envs.gyms.apps.trac.gym import APP
from envs.gyms.apps.trac.tasks import TEMPLATES
from envs.gyms.apps.trac.tasks_questions import QUESTIONS
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(Trac(), APP, TEMPLATES)
"""Rules and verdicts need no Trac."""


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, QUESTIONS, seed=base + 5)
