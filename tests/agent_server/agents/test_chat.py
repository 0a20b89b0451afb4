"""Chat completions: what is repeated of an answer is something that servers take back."""

from __future__ import annotations

from agent_server.agents.chat import ToolsChat, openai_text
from agent_server.agents.config import OpenAITools
from envs.contract.task import Task

SPEC = OpenAITools(
    dialect="openai_tools", base_url="http://127.0.0.1:9/v1", model="m", send_seed=True
)


def reply(message: dict[str, object]) -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


def test_texts_of_content_in_parts_are_joined() -> None:
    assert openai_text([{"text": "a"}, {"type": "image"}, {"text": "b"}]) == "a\nb"
    assert openai_text(None) == ""


def test_calls_without_ids_get_some_and_broken_arguments_are_replaced() -> None:
    chat = ToolsChat(SPEC, Task(id="t", instruction="x"))
    calls = [
        {"type": "function", "function": {"name": "wait", "arguments": '{"ms": 5}'}},
        {"type": "function", "function": {"name": "wait", "arguments": "[1"}},
    ]
    chat.read_reply(reply({"content": None, "tool_calls": calls}))
    repeated = chat.messages[-1]["tool_calls"]
    assert [call["id"] for call in repeated] == ["call_0_0", "call_0_1"]
    assert [call["function"]["arguments"] for call in repeated] == ['{"ms": 5}', "{}"]


def test_an_answer_in_text_is_repeated_as_text() -> None:
    chat = ToolsChat(SPEC, Task(id="t", instruction="x"))
    chat.read_reply(reply({"content": "I am done"}))
    assert chat.messages[-1] == {"role": "assistant", "content": "I am done"}
