from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from envs.apps.office.bridge import calls
from envs.apps.office.bridge.calls import STOPPED, reply_to
from envs.apps.office.documents import Office
from envs.apps.office.registry import OfficeTool


class NoOffice(Office):
    """For calls that need no document."""

    def __init__(self) -> None:
        pass


def call_tool(
    monkeypatch: pytest.MonkeyPatch, function: Callable[[Office], Any], limit_s: float
) -> Any:
    """The reply to a call of a tool that does this, within `limit_s`."""
    tool = OfficeTool(name="office.work", kind="office", function=function, timeout_s=1)
    monkeypatch.setitem(calls.TOOLS, "office.work", tool)
    deadline = time.monotonic() + limit_s
    request = {"id": 1, "name": "office.work", "arguments": {}, "deadline": deadline}
    return reply_to(NoOffice(), request)


def test_an_unknown_tool_is_refused() -> None:
    deadline = time.monotonic() + 10
    request = {"id": 4, "name": "calc.nope", "arguments": {}, "deadline": deadline}
    assert reply_to(NoOffice(), request) == {
        "id": 4,
        "ok": False,
        "reason": "not_found",
        "message": "the office has no tool 'calc.nope'",
    }


def test_a_call_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever exceptions it survives."""

    def work_on(office: Office) -> None:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    reply = call_tool(monkeypatch, work_on, 0.05)
    assert reply["reason"] == "tool_failed"
    assert reply["message"] == f"office.work: {STOPPED}"


def test_a_call_that_comes_too_late_has_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    effects: list[str] = []
    assert not call_tool(monkeypatch, lambda office: effects.append("late"), -1)["ok"]
    assert call_tool(monkeypatch, lambda office: effects.append("in time"), 10)["ok"]
    assert effects == ["in time"]
