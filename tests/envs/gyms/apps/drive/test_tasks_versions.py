"""Tasks on a file's versions and comments: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_versions import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "restore_version": (
            'Bring back the version of "Roadmap Borealis" that was saved on 27.09.2025.'
        ),
        "version_date": 'On which day was version 2 of "Holiday plan May offsite" saved?',
        "resolve_comment": (
            'What Greta Winter says in a comment on "Campaign plan Summer campaigns v2" is '
            "settled: resolve it, leave the others open."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
