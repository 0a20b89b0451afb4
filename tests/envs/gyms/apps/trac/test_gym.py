"""Tasks in the tracker, in Trac itself and real Chromium; the last word has its database."""

from __future__ import annotations

import pytest

from envs.contract.actions import Navigate
from envs.contract.task import HELDOUT_SEED_BASE
from envs.gyms.apps.trac.gym import GYM
from envs.providers.local import local_host
from tests.envs.gyms.apps.application_play import (
    OBSERVE,
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


async def test_no_page_of_trac_takes_a_plugin_or_the_name_of_a_file() -> None:
    assert GYM is not None
    async with local_host(1) as host:
        session = await host.open()
        task = GYM.make_task("close_ticket", HELDOUT_SEED_BASE + 5)
        site = (await session.reset(task, OBSERVE)).observation.url.partition("/trac")[0]
        for panel, answer in (
            ("basics", "Default time format"),
            ("plugin", "Unknown administration panel"),
            ("logging", "Unknown administration panel"),
        ):
            url = f"{site}/trac/admin/general/{panel}"
            tree = (await session.step([Navigate(url=url)], OBSERVE)).observation.tree
            assert tree is not None
            assert answer in tree.text, panel
        await session.close()
