"""Responses: calls that cannot get an output are not repeated."""

from __future__ import annotations

from agent_server.agents.config import OpenAIComputer
from agent_server.agents.responses import ComputerResponses
from envs.contract.task import Task
from envs.dialects.dialect import Display

SPEC = OpenAIComputer(
    dialect="openai_computer", base_url="http://127.0.0.1:9/v1", model="m", history=1
)
CLICK = {"type": "click", "x": 3, "y": 4, "button": "left"}


def conversation() -> ComputerResponses:
    talk = ComputerResponses(SPEC, Task(id="t", instruction="x"))
    talk.display = Display(640, 480)
    return talk


def test_a_call_is_kept_with_its_reasoning_and_without_an_id_it_is_not() -> None:
    talk = conversation()
    call = {"type": "computer_call", "call_id": "c1", "action": CLICK, "pending_safety_checks": []}
    reply = talk.read_reply({"output": [{"type": "reasoning", "id": "r"}, call]})
    assert reply.parsed.error is None
    assert talk.turns[-1] == [{"type": "reasoning", "id": "r"}, call]
    talk.read_reply({"output": [{"type": "reasoning", "id": "r"}, {**call, "call_id": None}]})
    assert talk.turns[-1] == []


def test_only_the_newest_turns_are_sent_and_the_task_always_is() -> None:
    talk = conversation()
    talk.turns = [[{"n": 0}], [{"n": 1}], [{"n": 2}]]
    assert talk._body(None)["input"] == [{"n": 0}, {"n": 2}]
