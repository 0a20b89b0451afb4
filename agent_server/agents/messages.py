"""Anthropic's Messages API with its computer tool."""

from __future__ import annotations

from collections.abc import Sequence

from agent_server.agents import prompts
from agent_server.agents.config import AnthropicComputer
from agent_server.agents.conversation import (
    LEFT_OUT,
    Conversation,
    Reply,
    keep_newest,
    require,
    transcript,
    usage_of,
)
from agent_server.agents.endpoint import Json
from envs.contract.actions import ActionResult
from envs.contract.observations import Observation
from envs.contract.task import Task
from envs.dialects import anthropic_computer
from envs.dialects.dialect import Parsed

API_VERSION = "2023-06-01"
BETAS = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
INSTEAD: Json = {"type": "text", "text": LEFT_OUT}
NOTHING_SAID = Parsed("", ())


def headers(spec: AnthropicComputer) -> dict[str, str]:
    """Headers that choose the API's version and the tool's beta."""
    return {
        "anthropic-version": API_VERSION,
        "anthropic-beta": spec.beta or BETAS[spec.tool_version],
    }


class ComputerMessages(Conversation):
    """A conversation with computer tool blocks."""

    path = "v1/messages"

    def __init__(self, spec: AnthropicComputer, task: Task) -> None:
        super().__init__(spec, task, prompts.prompt(prompts.COMPUTER, task))
        self.spec = spec
        self.messages: list[Json] = []

    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        if self.last is None:
            picture_parts = anthropic_computer.render(NOTHING_SAID, (), observation, self.display)[
                1:
            ]
            text = {"type": "text", "text": f"Task: {self.task.instruction}"}
            content = picture_parts if self.task_in_system else [text, *picture_parts]
        else:
            content = anthropic_computer.render(self.last, results, observation, self.display)
        self.messages.append({"role": "user", "content": content})
        return self.messages[-1:]

    def _add_text(self, new_messages: list[Json], text: str) -> list[Json]:
        new_messages[-1]["content"].append({"type": "text", "text": text})
        return new_messages

    def _body(self, seed: int | None) -> Json:
        spec = self.spec
        keep_newest(self.messages, self.history, _is_picture, INSTEAD)
        sampled = {"temperature": spec.temperature, "top_p": spec.top_p}
        return {
            "model": spec.model,
            "max_tokens": spec.max_tokens,
            "messages": self.messages,
            "tools": [anthropic_computer.tool(self.display, spec.tool_version, zoom=spec.zoom)],
            **({"system": self.system} if self.system else {}),
            **{name: value for name, value in sampled.items() if value is not None},
        }

    def read_reply(self, data: Json) -> Reply:
        """Parse the blocks of a reply. Raises Unreadable."""
        blocks = require(data.get("content"), list, "content")
        parsed = anthropic_computer.parse(blocks, self.display)
        self.last = parsed
        answered = {call.id for call in parsed.calls if call.id}
        repeated = [block for block in blocks if _may_stay(block, answered)]
        if repeated:
            self.messages.append({"role": "assistant", "content": repeated})
        usage = usage_of(
            data,
            ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
            "output_tokens",
        )
        return Reply(transcript(blocks), parsed, usage, str(data.get("stop_reason") or "end_turn"))


def _is_picture(part: Json) -> bool:
    return part.get("type") == "image"


def _may_stay(block: object, answered: set[str]) -> bool:
    """Whether the API accepts the block back: a call needs a result, a text must not be empty."""
    if not isinstance(block, dict):
        return False
    if block.get("type") == "tool_use":
        return block.get("id") in answered
    return block.get("type") != "text" or bool(str(block.get("text") or "").strip())
