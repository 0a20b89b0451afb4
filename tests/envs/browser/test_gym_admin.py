"""The gym server behind a session: gone, or with nothing to judge."""

from __future__ import annotations

import pytest

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tasksets.registry import get_gym
from tests.envs.browser.site import Visitor
from tests.envs.gyms.harness import TOKEN

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TASK = get_gym("shop").make_task("price", 1)


async def test_a_gym_that_is_gone_costs_no_other_session_its_browser(browsers: Browsers) -> None:
    session = BrowserSession(browsers, GymAdmin("http://127.0.0.1:1", TOKEN))
    with pytest.raises(EpisodeFault) as fault:
        await session.reset(TASK, Observe())
    assert fault.value.reason is InvalidReason.GYM_LOST
    assert browsers.gyms.broken_contexts == 0, "the browser is not to blame"
    await session.close()


async def test_a_host_without_gyms_runs_no_task_of_one(visitor: Visitor) -> None:
    with pytest.raises(EpisodeFault) as fault:
        await visitor.session.reset(TASK, Observe())
    assert fault.value.reason is InvalidReason.UNRUNNABLE


async def test_what_nothing_can_judge_is_an_evaluator_fault(visitor: Visitor) -> None:
    await visitor.open("/plain")
    with pytest.raises(EpisodeFault) as fault:
        await visitor.session.evaluate("answer")
    assert fault.value.reason is InvalidReason.EVALUATOR_ERROR
