"""Tasks on the site, in WordPress itself and real Chromium; the last word has its database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from envs.client import HostClient
from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES
from envs.gyms.apps.wordpress.gym import GYM
from envs.gyms.server.audit_checks import check_guesses
from envs.gyms.server.audit_rows import Row
from envs.providers.local import local_host
from tests.envs.gyms.apps.application_play import play

pytestmark = pytest.mark.gyms
PLAYED = ("move_category", "approve_comment")


def test_every_template_makes_tasks_of_all_splits() -> None:
    assert GYM is not None, "scripts/setup.sh applications"
    for template in GYM.templates:
        for base in SPLIT_BASES.values():
            task = GYM.make_task(template, base + 11)
            before = GYM.initial_state(task)
            assert not GYM.verdict(task, before, GYM.initial_state(task), None, False).success


@pytest.fixture
async def host() -> AsyncIterator[HostClient]:
    async with local_host(2) as client:
        yield client


async def test_oracles_solve_tasks_in_wordpress_and_a_world_looks_the_same_again(
    host: HostClient,
) -> None:
    assert GYM is not None
    session = await host.open()
    first_looks = []
    for template in PLAYED:
        verdict, first = await play(GYM, session, template, HELDOUT_SEED_BASE + 5)
        assert verdict.success, (template, verdict.details)
        first_looks.append(first)
    assert len(set(first_looks)) == 1, "what one task changed is seen in the next"
    await session.close()


def test_no_constant_answer_is_right_too_often() -> None:
    assert GYM is not None
    for template in GYM.templates:
        if GYM.spec(template).expected_answer is not None:
            row = Row(GYM.name, template, GYM.level(template), 1, {"guess": 0})
            check_guesses(GYM, template, row)
            assert row.held == {"guess": 1}, template
