"""Demonstrations in a real browser: the oracle's way, also back from where chance has led."""

from __future__ import annotations

import pytest

from agent_server.episodes.compact import TASK, parse
from envs.client import HostClient
from envs.providers.local import local_host
from trainer.curriculum import make_task
from trainer.reading.config import PagesConfig
from trainer.reading.demonstrate import demonstrate
from trainer.reading.pages import Page

pytestmark = pytest.mark.browser
TEMPLATE = "people/approve_leave"


async def show(host: HostClient, seed: int, wandering: float) -> list[Page]:
    session = await host.open()
    try:
        config = PagesConfig(wandering=wandering)
        return await demonstrate(make_task(TEMPLATE, seed), TEMPLATE, "train", session, config)
    finally:
        await session.close()


async def test_each_step_is_a_page_with_its_task_and_an_answer_that_fits_it() -> None:
    async with local_host(1) as host:
        pages = await show(host, 3, 0.0)
        wandered = await show(host, 3, 0.3)
    task = make_task(TEMPLATE, 3)
    assert len(pages) > 2
    for number, page in enumerate(pages):
        assert page.task.startswith(task.instruction)
        assert page.task.count("\ndid: ") == number
        assert TASK not in page.task
        assert parse(page.answer, page.lines()).error is None
    assert pages[-1].answer.endswith("done")
    # Nothing at all, where chance has spoilt the episode: a failure is no demonstration.
    assert not wandered or len(wandered) >= len(pages)
