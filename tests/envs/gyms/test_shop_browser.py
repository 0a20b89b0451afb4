"""The shop in real Chromium: what the pages' scripts and styles make of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from envs.actions import ActionError, Done, Infeasible
from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.gyms.evidence import unpacked
from envs.gyms.registry import get_gym
from envs.gyms.shop.catalogue import hydrate
from envs.observations import Observe
from envs.tasks import Task
from tests.envs.gyms.harness import TOKEN, GymServer

pytestmark = pytest.mark.browser
SHOP = get_gym("shop")
SEEDS = (0, 1, 9)
"""One seed of each layout."""


@asynccontextmanager
async def browser(server: GymServer) -> AsyncIterator[BrowserSession]:
    browsers = Browsers()
    async with aiohttp.ClientSession() as http:
        session = BrowserSession(browsers, GymAdmin(http, server.url, TOKEN))
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
            again = unpacked(kept[0])
            assert again is not None
            assert again.verdict() == verdict
            return verdict.score, trees
        reply = await session.step([move.action], observe)
        result = reply.results[0]
        # A page that was still on its way refuses a ref; the oracle looks again, as in any episode.
        assert result.ok or result.error is ActionError.STALE_REF, (task.id, move, result)
        observation = reply.observation
    raise AssertionError(f"{task.id}: no end\n{trees[-1]}")


async def test_oracle_passes_in_chromium_in_every_layout(server: GymServer) -> None:
    assert {hydrate(seed).look.layout for seed in SEEDS} == {0, 1, 2}
    async with browser(server) as session:
        for template in SHOP.templates:
            for seed in SEEDS:
                task = SHOP.make_task(template, seed)
                score, trees = await episode(session, task)
                assert score == 1.0, (task.id, trees[-1])
                assert all(len(tree) <= 1100 for tree in trees), max(trees, key=len)
