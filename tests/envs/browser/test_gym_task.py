"""A session's task in the gym server, and the clock of a page that owns its state."""

from __future__ import annotations

import pytest

from envs.browser.chromium import Chromium
from envs.browser.gym_task import GymTask
from envs.contract.actions import ActionError, Tool
from envs.contract.gym_api import PageScripts
from envs.contract.outcomes import EpisodeFault, InvalidReason

SCRIPTS = PageScripts(begin="begin()", elapse="elapse", report="report()")


async def test_a_host_without_gyms_says_so_whatever_it_is_asked_for() -> None:
    gym = GymTask(None)
    with pytest.raises(EpisodeFault) as fault:
        _ = gym.admin
    assert fault.value.reason is InvalidReason.UNRUNNABLE
    with pytest.raises(EpisodeFault):
        _ = gym.key
    assert not gym.is_begun
    await gym.drop()
    result = await gym.call_tool(Tool(name="shop.cart"))
    assert (result.error, "shop.cart" in result.message) == (ActionError.UNKNOWN_TOOL, True)


async def test_a_task_without_a_gym_has_no_verdict() -> None:
    chromium = Chromium(None, ())
    with pytest.raises(EpisodeFault) as fault:
        await GymTask(None).judge(None, None, chromium, None, False, None)
    assert fault.value.reason is InvalidReason.EVALUATOR_ERROR


def test_the_time_of_an_action_goes_by_once() -> None:
    gym = GymTask(None)
    gym.add_time(30)
    assert gym.take_clock() is None, "a page without a clock of its own"
    gym.scripts = SCRIPTS
    gym.add_time(30)
    assert gym.take_clock() == "(elapse)(30)"
    assert gym.take_clock() is None
    gym.add_time(None)
    assert gym.take_clock() == "(elapse)(null)"
    gym.add_time(5)
    assert gym.forget_page() == SCRIPTS
    assert (gym.scripts, gym.take_clock()) == (None, None)
