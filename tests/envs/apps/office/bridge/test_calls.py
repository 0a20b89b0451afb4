from __future__ import annotations

import threading
from typing import Any

import pytest

from envs.apps.office.bridge import calls
from envs.apps.office.bridge.calls import BUSY, reply_to
from envs.apps.office.documents import Office
from envs.apps.office.registry import OfficeTool


class NoOffice(Office):
    """For calls that need no document."""

    def __init__(self) -> None:
        pass


def test_an_unknown_tool_is_refused() -> None:
    request = {"id": 4, "name": "calc.nope", "arguments": {}}
    assert reply_to(NoOffice(), request) == {
        "id": 4,
        "ok": False,
        "reason": "not_found",
        "message": "the office has no tool 'calc.nope'",
    }


def test_a_call_that_waited_too_long_for_an_earlier_one_has_no_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    effects: list[str] = []

    def work(office: Office, name: str) -> None:
        begun.set()
        may_end.wait(10)
        effects.append(name)

    tool = OfficeTool(name="office.work", kind="office", function=work, timeout_s=0.05)
    monkeypatch.setitem(calls.TOOLS, "office.work", tool)

    def call(number: int) -> dict[str, Any]:
        arguments = {"name": f"call {number}"}
        return reply_to(NoOffice(), {"id": number, "name": "office.work", "arguments": arguments})

    first = threading.Thread(target=call, args=(1,))
    first.start()
    begun.wait(10)
    assert call(2)["message"] == BUSY
    may_end.set()
    first.join(10)
    assert call(3)["ok"]
    assert effects == ["call 1", "call 3"]
