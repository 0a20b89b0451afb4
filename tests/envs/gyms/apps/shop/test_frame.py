"""The shop in real Chromium: what the pages' scripts and styles make of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.actions import ActionError, Done, Infeasible
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.gym import GYM as SHOP
from envs.gyms.server.rejudge import rejudge
from envs.state.gym_evidence import unpack
from tests.envs.gyms.harness import TOKEN, GymServer

pytestmark = pytest.mark.browser
SEEDS = (0, 1, 9)
"""One seed of each layout."""


@asynccontextmanager
async def browser(server: GymServer) -> AsyncIterator[BrowserSession]:
    browsers = Browsers(gym_url=server.url)
    session = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
    try:
        yield session
    finally:
        await session.close()
        await browsers.close()


async def episode(session: BrowserSession, task: Task) -> tuple[float, list[str]]:
    """Score and trees of one oracle episode."""
    oracle, observe = SHOP.oracle(task), Observe()
    observation = (await session.reset(task, observe)).observation
    trees = []
    for _ in range(task.limits.max_steps):
        assert observation.tree is not None
        trees.append(observation.tree.text)
        move = oracle.move(observation)
        if isinstance(move.action, Done | Infeasible):
            answer = move.action.answer if isinstance(move.action, Done) else None
            kept: list[bytes] = []
            verdict = await session.evaluate(
                answer, isinstance(move.action, Infeasible), kept.append
            )
            again = unpack(kept[0])
            assert again is not None
            assert rejudge(again) == verdict
            return verdict.score, trees
        reply = await session.step([move.action], observe)
        result = reply.results[0]
        # A page that was still on its way refuses a ref; the oracle looks again, as in any episode.
        assert result.ok or result.error is ActionError.STALE_REF, (task.id, move, result)
        observation = reply.observation
    raise AssertionError(f"{task.id}: no end\n{trees[-1]}")


async def test_oracle_passes_in_chromium_in_every_layout(server: GymServer) -> None:
    assert {get_catalogue(seed).appearance.layout for seed in SEEDS} == {0, 1, 2}
    async with browser(server) as session:
        for template in SHOP.templates:
            for seed in SEEDS:
                task = SHOP.make_task(template, seed)
                score, trees = await episode(session, task)
                assert score == 1.0, (task.id, trees[-1])
                assert all(len(tree) <= 1100 for tree in trees), max(trees, key=len)
