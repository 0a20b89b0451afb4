"""Anthropic's Messages: headers, and blocks that are repeated."""

from __future__ import annotations

import pytest

from agent_server.agents.config import AnthropicComputer
from agent_server.agents.endpoint import Unreadable
from agent_server.agents.messages import BETAS, ComputerMessages, headers
from envs.contract.task import Task
from envs.dialects.dialect import Display

SPEC = AnthropicComputer(dialect="anthropic_computer", base_url="http://127.0.0.1:9", model="m")


def conversation() -> ComputerMessages:
    talk = ComputerMessages(SPEC, Task(id="t", instruction="x"))
    talk.display = Display(640, 480)
    return talk


def test_the_beta_follows_the_tool_s_version_unless_the_file_says_one() -> None:
    assert headers(SPEC)["anthropic-beta"] == BETAS[SPEC.tool_version]
    assert headers(SPEC.model_copy(update={"beta": "own"}))["anthropic-beta"] == "own"


def test_empty_texts_are_not_repeated() -> None:
    talk = conversation()
    call = {"type": "tool_use", "id": "a", "name": "computer", "input": {"action": "screenshot"}}
    talk.read_reply({"content": [{"type": "text", "text": " "}, call], "usage": {}})
    assert talk.messages[-1] == {"role": "assistant", "content": [call]}


def test_a_reply_without_content_is_unreadable_and_changes_nothing() -> None:
    talk = conversation()
    with pytest.raises(Unreadable):
        talk.read_reply({"error": "overloaded"})
    assert talk.messages == []
