"""API tools of an app."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.kit.company import get_company
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import Refused
from envs.gyms.server.registry import get_web_gym


def test_a_site_tool_that_is_refused_changes_nothing() -> None:
    gym = get_web_gym("billing")
    assert isinstance(gym, AppGym)
    tools = {tool.name: tool for tool in gym.apps[0].tools}
    task = gym.make_task("pay_twice", 1)
    state = gym.initial_state(task)["billing"]
    before = copy.deepcopy(state)
    number = task.params["number"]
    pay = tools["billing.record_payment"]
    with pytest.raises(Refused, match="takes no payment"):
        pay.call(get_company(1), state, {"number": number, "cents": 100, "method": "Card"})
    with pytest.raises(Refused, match="cents"):
        pay.call(get_company(1), state, {"number": number, "cents": "all", "method": "Card"})
    with pytest.raises(Refused, match="no invoice"):
        pay.call(get_company(1), state, {"number": "INV-1", "cents": 1, "method": "Card"})
    assert state == before
    assert set(pay.schema()["parameters"]["properties"]) == {"number", "cents", "method"}
