"""What both clients share: where the server is, the errors they raise, and events as objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import orjson
from httpx_sse import ServerSentEvent

from agent_server.api.evaluation_models import EvaluationState
from agent_server.api.models import TaskState
from agent_server.episodes.trajectory import Step
from agent_server.settings import ClientSettings

TIMEOUT_S = 60.0
EVENT_SILENCE_S = 60.0
"""Longest silence of a stream of events: the server says something every 15 seconds."""
RECONNECTIONS = 10
"""In a row without a new event, before a stream gives up."""
RECONNECT_S = 0.5


class ApiUnreachable(ConnectionError):
    """No answer came from the server; the message names its address."""


class ApiProblem(Exception):
    """The server refused the request: `status`, and its own sentence in `detail`."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        super().__init__(f"{status} {title}: {detail}" if detail else f"{status} {title}")
        self.status, self.title, self.detail = status, title, detail


@dataclass(frozen=True, slots=True)
class TaskEvent:
    """`step`: a new one; `status`: a change; `approval`: the id of what waits for a person, None
    when it no longer waits; `end`: with the final state."""

    kind: str
    step: Step | None = None
    status: str | None = None
    approval: str | None = None
    state: TaskState | None = None


def make_http_arguments(url: str | None, key: str | None, timeout_s: float) -> dict[str, Any]:
    """Of an httpx client; what is not given is taken from the environment."""
    settings = ClientSettings.from_env()
    key = key or settings.api_key
    return {
        "base_url": url or settings.api_url,
        "headers": {"Authorization": f"Bearer {key}"} if key else {},
        "timeout": timeout_s,
        "trust_env": False,
    }


def raise_problem(reply: httpx.Response) -> None:
    """Raises ApiProblem for an answer that is no success."""
    if reply.is_success:
        return
    title, detail = reply.reason_phrase, ""
    try:
        body = orjson.loads(reply.content)
        title, detail = str(body["title"]), str(body["detail"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        detail = reply.text[:500]
    raise ApiProblem(reply.status_code, title, detail)


def read_task_event(event: ServerSentEvent) -> TaskEvent:
    """Raises pydantic.ValidationError."""
    match event.event:
        case "step":
            return TaskEvent("step", step=Step.model_validate_json(event.data))
        case "end":
            return TaskEvent("end", state=TaskState.model_validate_json(event.data))
        case "approval":
            return TaskEvent("approval", approval=orjson.loads(event.data).get("approval"))
        case kind:
            return TaskEvent(kind, status=orjson.loads(event.data).get("status"))


def read_evaluation_event(event: ServerSentEvent) -> tuple[bool, EvaluationState]:
    """Whether it was the last one, and the state. Raises pydantic.ValidationError."""
    return event.event == "end", EvaluationState.model_validate_json(event.data)
