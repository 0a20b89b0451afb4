"""Tasks across apps: what earns success."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, History
from envs.contract.observations import Observe, ScreenshotRequest
from envs.gyms.apps.suite.gym import GYM
from envs.gyms.apps.suite.tasks import TEMPLATES
from envs.gyms.server.view import Page
from envs.providers.local import local_host
from tests.envs.gyms.apps.task_checks import check_verdicts


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_an_advice_that_was_booked_already_cannot_be_done() -> None:
    task = GYM.make_task("book_advice_twice", 2)
    state = GYM.initial_state(task)
    invoices = {invoice["id"]: invoice for invoice in state["billing"]["invoices"]}
    assert invoices[task.params["invoice"]]["status"] == "Paid"


@pytest.mark.gyms
async def test_another_app_looks_the_same_by_its_link_and_loaded_anew() -> None:
    looks = Observe(tree=True, screenshot=ScreenshotRequest())
    async with local_host(1) as host:
        session = await host.open()
        mail = await session.reset(GYM.make_task(GYM.templates[0], 1), looks)
        page = Page(mail.observation)
        link = page.get_line("link", "Billing")
        by_link = await session.step([Click(target=page.target(link))], looks)
        loaded = await session.step([History(op="reload")], looks)
        await session.close()
    assert by_link.observation.screenshot == loaded.observation.screenshot
