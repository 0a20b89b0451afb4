"""OpenAI's Responses API with computer calls.

The items of all turns are sent each time. An output of a computer call must hold a picture, so
older turns are left out whole, with their calls and reasoning; the task always stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent_server.agents import prompts
from agent_server.agents.config import OpenAIComputer
from agent_server.agents.conversation import Conversation, Reply, require, transcript, usage_of
from agent_server.agents.endpoint import Json
from envs.contract.actions import ActionError, ActionResult
from envs.contract.observations import Observation, lines_of
from envs.contract.task import Task
from envs.dialects import openai_computer
from envs.dialects.pictures import data_url, fit_to_display


class ComputerResponses(Conversation):
    """A conversation of response items with computer calls."""

    path = "responses"

    def __init__(self, spec: OpenAIComputer, task: Task) -> None:
        super().__init__(spec, task, prompts.prompt(prompts.COMPUTER, task))
        self.spec = spec
        self.turns: list[list[Json]] = []
        """Each begins with what was said and ends with its outputs; the first is the task."""

    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        if self.last is None:
            new = [self._task(observation)]
            self.turns.append(new)
        else:
            new = openai_computer.render(self.last, results, observation, self.display)
            self.turns[-1] += new
        return new

    def _add_text(self, new_messages: list[Json], text: str) -> list[Json]:
        message: Json = {"role": "user", "content": [{"type": "input_text", "text": text}]}
        # With the task, which always stays: this turn will be left out when it is old.
        if self.last is None:
            new_messages.append(message)
        else:
            self.turns[0].append(message)
            new_messages = [*new_messages, message]
        return new_messages

    def _task(self, observation: Observation) -> Json:
        message = self._look(observation)
        if not self.task_in_system:
            text = f"Task: {self.task.instruction}"
            message["content"].insert(0, {"type": "input_text", "text": text})
        return message

    def _look(self, observation: Observation) -> Json:
        picture = observation.screenshot
        assert picture is not None
        content: list[Json] = [
            {"type": "input_image", "image_url": data_url(fit_to_display(picture, self.display))}
        ]
        if observation.tree is not None:
            content.insert(0, {"type": "input_text", "text": "\n".join(lines_of(observation))})
        return {"role": "user", "content": content}

    def _body(self, seed: int | None) -> Json:
        spec = self.spec
        first, *later = self.turns
        items = [item for turn in (first, *later[-spec.history :]) for item in turn]
        sampled = {"temperature": spec.temperature, "top_p": spec.top_p}
        preview = {} if spec.environment is None else {"truncation": "auto"}
        return {
            "model": spec.model,
            "input": items,
            "tools": [openai_computer.tool(self.display, spec.environment)],
            "max_output_tokens": spec.max_tokens,
            **preview,
            **({"instructions": self.system} if self.system else {}),
            **{name: value for name, value in sampled.items() if value is not None},
        }

    def read_reply(self, data: Json) -> Reply:
        """Parse the output items of a reply. Raises Unreadable."""
        items = require(data.get("output"), list, "output")
        parsed = openai_computer.parse(items, self.display, acknowledge=self.spec.acknowledge)
        if parsed.error is not None and parsed.error.error is ActionError.NOT_ALLOWED:
            # The API takes no output of a call whose safety checks nobody acknowledged.
            parsed = replace(parsed, calls=())
        self.last = parsed
        answered = {call.id for call in parsed.calls if call.id}
        self.turns.append([item for item in items if _may_stay(item, answered)])
        usage = usage_of(data, ["input_tokens"], "output_tokens")
        return Reply(transcript(items), parsed, usage, str(data.get("status") or "completed"))


def _may_stay(item: object, answered: set[str]) -> bool:
    """Whether the API accepts the item back: a call needs an output, which needs its id."""
    if not isinstance(item, dict):
        return False
    if item.get("type") == "computer_call":
        return item.get("call_id") in answered
    return item.get("type") == "message" or (item.get("type") == "reasoning" and bool(answered))
