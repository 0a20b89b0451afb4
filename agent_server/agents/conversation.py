"""Conversation: the messages of one episode in the wire format of an API.

`request` builds the next request from the observation and the results of the last answer; `read`
parses and keeps the reply. Guarantees: no more than the agreed number of pictures is sent; a reply
that is no answer raises Unreadable and changes nothing; the next request never repeats a part of an
answer that the API would refuse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from agent_server.agents.config import Endpoint
from agent_server.agents.endpoint import Json, Unreadable
from agent_server.episodes.trajectory import Usage
from envs.contract.actions import ActionResult
from envs.contract.observations import Observation
from envs.contract.task import Task
from envs.dialects.dialect import Display, Parsed

LEFT_OUT = "(an older screenshot was here)"


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply. `text`: the answer as text or JSON, for the record."""

    text: str
    parsed: Parsed
    usage: Usage | None = None
    finish_reason: str = "stop"


class Conversation(ABC):
    """A conversation about one task. `path`: of the API, below the base URL."""

    path: str

    def __init__(self, spec: Endpoint, task: Task, system: str) -> None:
        self.task = task
        self.shown = spec.shown
        template = system if spec.system is None else spec.system
        self.system = template.replace("{instruction}", task.instruction)
        self.task_in_system = "{instruction}" in template
        self.model, self.body = spec.model, spec.body
        self.history = spec.history
        self.sees_pictures, self.sees_tree = "screenshot" in spec.observe, "tree" in spec.observe
        self.display = Display(1, 1)
        self.tree: int | None = None
        self.last: Parsed | None = None
        self.follow_ups: list[str] = []
        """What the task's owner added, and the next request says."""

    def request(
        self, observation: Observation, results: Sequence[ActionResult], seed: int | None
    ) -> tuple[Json, str]:
        """The body of the next request, and its new part as text for the record.

        `observation` has a screenshot: the display has its size."""
        picture = observation.screenshot
        assert picture is not None
        self.display = Display(*picture.screen, self.shown)
        self.tree = None if observation.tree is None else observation.tree.id
        hidden_fields: Json = {} if self.sees_pictures else {"screenshot": None}
        hidden_fields |= {} if self.sees_tree else {"tree": None}
        first = self.last is None
        new_messages = self._next_messages(observation.model_copy(update=hidden_fields), results)
        for text in self.follow_ups:
            new_messages = self._add_text(new_messages, f"The user adds: {text}")
        self.follow_ups = []
        new_content = (
            [{"system": self.system}, *new_messages] if first and self.system else new_messages
        )
        return self._body(seed) | self.body, transcript(new_content)

    @abstractmethod
    def _next_messages(
        self, observation: Observation, results: Sequence[ActionResult]
    ) -> list[Json]:
        """Append the messages of this turn and return them. `self.last` is None in the first."""

    @abstractmethod
    def _add_text(self, new_messages: list[Json], text: str) -> list[Json]:
        """This turn's messages, with a text of the user at their end."""

    @abstractmethod
    def _body(self, seed: int | None) -> Json: ...

    @abstractmethod
    def read_reply(self, data: Json) -> Reply:
        """Parse and keep a reply. Raises Unreadable."""


def without_pictures(value: Any) -> Any:
    """A copy with "(picture)" in place of picture data."""
    if isinstance(value, list):
        return [without_pictures(part) for part in value]
    if isinstance(value, str):
        return "(picture)" if value.startswith("data:image/") else value
    if not isinstance(value, dict):
        return value
    if value.get("type") == "base64" and "data" in value:
        return {**value, "data": "(picture)"}
    return {key: without_pictures(part) for key, part in value.items()}


def transcript(value: Any) -> str:
    """Indented JSON without pictures."""
    return orjson.dumps(without_pictures(value), option=orjson.OPT_INDENT_2).decode()


def keep_newest(value: Any, keep: int, is_picture: Callable[[Json], bool], instead: Json) -> int:
    """Replace the older pictures within these messages, newest first; returns how many more may be
    kept."""
    if isinstance(value, dict):
        for part in reversed(value.values()):
            keep = keep_newest(part, keep, is_picture, instead)
        return keep
    if not isinstance(value, list):
        return keep
    for index in range(len(value) - 1, -1, -1):
        part = value[index]
        if not (isinstance(part, dict) and is_picture(part)):
            keep = keep_newest(part, keep, is_picture, instead)
        elif keep > 0:
            keep -= 1
        else:
            value[index] = instead
    return keep


def usage_of(data: Json, prompt: Sequence[str], completion: str) -> Usage | None:
    """Token counts of a reply's `usage`; the counts named by `prompt` are added. None without
    counts."""
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(key) or 0 for key in (*prompt, completion)]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return None
    return Usage(prompt=sum(counts[:-1]), completion=counts[-1])


def require(value: object, kind: type, name: str) -> Any:
    """The value, if it is of that kind. Raises Unreadable."""
    if not isinstance(value, kind):
        raise Unreadable(f"answered without {name}")
    return value
