"""Tasks in the tracker, in Trac itself and real Chromium; the last word has its database."""

from __future__ import annotations

import pytest

from envs.gyms.apps.trac.gym import GYM
from tests.envs.gyms.apps.application_play import (
    check_constant_answers,
    check_oracles,
    check_splits,
)

pytestmark = pytest.mark.gyms
PLAYED = ("close_ticket", "rename_page")


def test_every_template_makes_tasks_of_all_splits() -> None:
    check_splits(GYM)


async def test_oracles_solve_tasks_in_trac_and_a_world_looks_the_same_again() -> None:
    await check_oracles(GYM, PLAYED)


def test_no_constant_answer_is_right_too_often() -> None:
    check_constant_answers(GYM)
