"""Tasks on the site, in WordPress itself and real Chromium; the last word has its database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envs.contract.actions import Move
from envs.contract.task import HELDOUT_SEED_BASE
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP, GYM
from envs.gyms.apps.wordpress.oracle_moves import choose, open_list, search_list, update
from envs.gyms.kit import navigation
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import Params
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.server.gym import OracleMove
from envs.gyms.server.view import Page
from envs.providers.local import local_host
from tests.envs.gyms.apps.application_play import (
    check_constant_answers,
    check_oracles,
    check_splits,
    play,
)

pytestmark = pytest.mark.gyms
PLAYED = ("move_category", "approve_comment")


def test_every_template_makes_tasks_of_all_splits() -> None:
    check_splits(GYM)


async def test_oracles_solve_tasks_in_wordpress_and_a_world_looks_the_same_again() -> None:
    await check_oracles(GYM, PLAYED)


def _write_quick_draft(page: Page, p: Params) -> Script:
    fields = {"Title": p["new"], "Content": p["text"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "on the dashboard", "Save Draft")
    return None


def _publish_in_list(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts")
    page = yield from search_list(page, p["title"])
    # What can be done with a row is shown while the pointer is on it.
    page, line = yield from navigation.scroll_to(page, "link", f"“{p['title']}” (Edit)")
    page = yield OracleMove("this one", Move(target=page.target(line)))
    name = f"Quick edit “{p['title']}” inline"
    page = yield from navigation.click(page, "here", name)
    page = yield from choose(page, "Status", "Published")
    yield from update(page)
    return None


def _look_at_drafts(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Drafts (")
    if page.find_prefix("link", f"“{p['firm']}") is None:
        raise GiveUp(f"there is no draft about {p['firm']}")
    return None


OTHER_WAYS = {
    "write_draft": _write_quick_draft,
    "publish_draft": _publish_in_list,
    "missing_post": _look_at_drafts,
}


async def test_a_quick_draft_quick_edit_and_the_list_of_drafts_are_right_ways_too() -> None:
    assert GYM is not None
    templates = [replace(GYM.spec(name), solve=solve) for name, solve in OTHER_WAYS.items()]
    gym = ApplicationGym(WordPress(), APP, templates)
    async with local_host(1) as host:
        session = await host.open()
        for name in OTHER_WAYS:
            verdict, _ = await play(gym, session, name, HELDOUT_SEED_BASE + 5)
            assert verdict.success, (name, verdict.details)
        await session.close()


def test_no_constant_answer_is_right_too_often() -> None:
    check_constant_answers(GYM)
