"""Chat completions: tool calls, OSWorld's and UI-TARS' text, and our compact dialect."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from agent_server.agents import prompts
from agent_server.agents.config import CompactChat, OpenAITools, OSWorldText, UiTars
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
from agent_server.agents.environment import LOOKS, absent_kinds, tool_lines
from agent_server.episodes.compact import CompactTurns
from envs.contract.actions import ActionResult
from envs.contract.observations import Observation
from envs.contract.task import Task
from envs.dialects import openai_tools, osworld, uitars
from envs.dialects.coordinates import RELATIVE, lines_of_part
from envs.dialects.dialect import Parsed
from envs.dialects.pictures import data_url, fit_to_display

Chatting = OpenAITools | CompactChat | OSWorldText | UiTars
INSTEAD: Json = {"type": "text", "text": LEFT_OUT}


class _Chat(Conversation):
    path = "chat/completions"

    def __init__(self, spec: Chatting, task: Task, system: str) -> None:
        super().__init__(spec, task, system)
        self.fixed: Json = {"model": spec.model, spec.max_tokens_key: spec.max_tokens}
        sampled = {"temperature": spec.temperature, "top_p": spec.top_p}
        self.fixed |= {name: value for name, value in sampled.items() if value is not None}
        self.send_seed = spec.send_seed
        self.messages: list[Json] = []

    def _body(self, seed: int | None) -> Json:
        keep_newest(self.messages, self.history, _is_picture, INSTEAD)
        system = [{"role": "system", "content": self.system}] if self.system else []
        body = {**self.fixed, "messages": [*system, *self.messages]}
        return {**body, "seed": seed} if self.send_seed and seed is not None else body

    def read_reply(self, data: Json) -> Reply:
        choices = require(data.get("choices"), list, "choices")
        choice = require(choices[0] if choices else None, dict, "choices")
        message = require(choice.get("message"), dict, "a message")
        text, parsed = self._read(message)
        self.last = parsed
        return Reply(
            text,
            parsed,
            usage_of(data, ["prompt_tokens"], "completion_tokens"),
            str(choice.get("finish_reason") or "stop"),
        )

    @abstractmethod
    def _read(self, message: Json) -> tuple[str, Parsed]:
        """What was said, for the record, and what it means; keeps it for the next request."""

    def _add_text(self, new_messages: list[Json], text: str) -> list[Json]:
        content = new_messages[-1]["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        new_messages[-1]["content"] = [*parts, {"type": "text", "text": text}]
        return new_messages

    def _task_first(self, content: list[Json]) -> list[Json]:
        if self.last is not None or self.task_in_system:
            return content
        return [{"type": "text", "text": f"Task: {self.task.instruction}"}, *content]


def _is_picture(part: Json) -> bool:
    return part.get("type") == "image_url"


class ToolsChat(_Chat):
    """Every action is a function."""

    def __init__(self, spec: OpenAITools, task: Task) -> None:
        system = prompts.prompt(prompts.TOOLS, task)
        if spec.api_tools or task.tools == "api":
            system += "\nThe function tool calls one of these by name:\n" + "\n".join(
                tool_lines(task)
            )
        super().__init__(spec, task, system)
        unseen = frozenset() if self.sees_pictures else LOOKS
        self.fixed["tools"] = openai_tools.tools(absent_kinds(task) | unseen)

    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        new = openai_tools.render(self.last, results, observation, self.display)
        new[-1]["content"] = self._task_first(new[-1]["content"])
        self.messages += new
        return new

    def _read(self, message: Json) -> tuple[str, Parsed]:
        calls = _add_missing_ids(message.get("tool_calls"), len(self.messages))
        parsed = openai_tools.parse({**message, "tool_calls": calls}, self.display, self.tree)
        parsed_ids = {call.id for call in parsed.calls if call.id}
        repeated_calls = (
            [_repeatable_call(call) for call in calls if call["id"] in parsed_ids]
            if parsed_ids
            else []
        )
        content = message.get("content")
        again: Json = {"role": "assistant", "content": content if _is_content(content) else ""}
        self.messages.append({**again, "tool_calls": repeated_calls} if repeated_calls else again)
        return transcript({name: value for name, value in message.items() if value}), parsed


def _is_content(content: object) -> bool:
    """Whether an API takes it back: text, or parts, which are objects."""
    if isinstance(content, list):
        return bool(content) and all(isinstance(part, dict) for part in content)
    return isinstance(content, str)


def _add_missing_ids(calls: Any, place: int) -> Any:
    """Every call has an id: its result has to name it. What is no list of calls stays as it is, for
    the dialect to refuse."""
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        return calls
    return [
        {**call, "id": str(call.get("id") or f"call_{place}_{index}")}
        for index, call in enumerate(calls)
    ]


def _repeatable_call(call: Json) -> Json:
    """As servers take it back: arguments that are no JSON object break their chat templates."""
    function = call["function"]
    arguments = function.get("arguments") or "{}"
    try:
        whole = isinstance(arguments, dict) or isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        whole = False
    text = json.dumps(arguments) if isinstance(arguments, dict) else arguments
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": function["name"], "arguments": text if whole else "{}"},
    }


class _TextChat(_Chat):
    """Dialects in which all is said in text."""

    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        content = self._task_first(self._content(observation, results))
        self.messages.append({"role": "user", "content": content})
        return self.messages[-1:]

    @abstractmethod
    def _content(self, observation: Observation, results: Sequence[ActionResult]) -> list[Json]: ...

    def _read(self, message: Json) -> tuple[str, Parsed]:
        content = message.get("content")
        text = content if isinstance(content, str) else openai_text(content)
        self.messages.append({"role": "assistant", "content": text})
        return text, self._parse(text)

    @abstractmethod
    def _parse(self, text: str) -> Parsed: ...


def openai_text(content: object) -> str:
    """Of a message's content in parts."""
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


class UiTarsChat(_TextChat):
    def __init__(self, spec: UiTars, task: Task) -> None:
        super().__init__(spec, task, prompts.prompt(prompts.UITARS, task))
        self.points = spec.points

    def _content(self, observation: Observation, results: Sequence[ActionResult]) -> list[Json]:
        parts = uitars.render(self.last, results, observation, self.display, self.points)
        if observation.tree is not None:
            parts.insert(0, {"type": "text", "text": observation.tree.text})
        return parts

    def _parse(self, text: str) -> Parsed:
        return uitars.parse(text, self.display, self.points)


class OSWorldChat(_TextChat):
    def __init__(self, spec: OSWorldText, task: Task) -> None:
        scripts = spec.action_space == "pyautogui"
        text = prompts.PYAUTOGUI if scripts else prompts.COMPUTER_13
        super().__init__(spec, task, prompts.prompt(text, task))

    def _content(self, observation: Observation, results: Sequence[ActionResult]) -> list[Json]:
        rendered = osworld.render(
            self.last, results, observation, self.display, self.task.instruction
        )
        parts: list[Json] = []
        if rendered["error"] is not None:
            parts.append({"type": "text", "text": f"error: {rendered['error']}"})
        if rendered["accessibility_tree"] is not None:
            parts.append({"type": "text", "text": rendered["accessibility_tree"]})
        if observation.screenshot is not None:
            url = data_url(fit_to_display(observation.screenshot, self.display))
            parts.append({"type": "image_url", "image_url": {"url": url}})
        return parts

    def _parse(self, text: str) -> Parsed:
        return osworld.parse(text, self.display)


class CompactConversation(_Chat):
    """One user message a request; it tells what was done so far."""

    def __init__(self, spec: CompactChat, task: Task) -> None:
        super().__init__(spec, task, prompts.prompt(prompts.COMPACT, task))
        self.turns = CompactTurns(task)
        self.seen = Observation(hash="")

    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        self.seen = observation
        # Each request is whole, so what was added once has to be in all later ones.
        for added in self.follow_ups:
            self.turns.tell(added)
        self.follow_ups = []
        text = self.turns.prompt(observation, results)
        content: Any = text
        if observation.screenshot is not None:
            url = data_url(fit_to_display(observation.screenshot, self.display))
            part = lines_of_part(observation.screenshot, self.display, RELATIVE)
            content = [
                {"type": "text", "text": "\n".join([*part, text])},
                {"type": "image_url", "image_url": {"url": url}},
            ]
        self.messages = [{"role": "user", "content": content}]
        return self.messages

    def _read(self, message: Json) -> tuple[str, Parsed]:
        content = message.get("content")
        text = content if isinstance(content, str) else openai_text(content)
        return text, self.turns.read(text, self.seen)
