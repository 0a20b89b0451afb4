"""Chat completions with tool calls: every action of ours is a function, generated from its schema.

The tools are the action union itself, one function a kind, `done` and `infeasible` included; an
argument is a field. So nothing is lost in either direction but batches, which are several tool
calls of one message. `parse` takes a message (or a whole completion).

Calls that a server without a tool parser leaves in the text as `<tool_call>{...}</tool_call>` are
read too; they have no id, so their results go into the user message. A message with text and no
call ends the episode: the text is the answer, or, after `[INFEASIBLE]`, the reason.

Points in pixels are those of the picture shown (`Display.shown`). A ref is one of the last tree.
Tool messages hold text only, so the new observation follows as a user message.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from envs.contract.actions import (
    ActionResult,
    SimpleAction,
    Space,
    Target,
    simple_action_adapter,
    why_invalid,
)
from envs.contract.observations import Observation, lines_of, one_line
from envs.dialects.coordinates import SHOWN, lines_of_part, with_places
from envs.dialects.dialect import (
    Display,
    Json,
    Parsed,
    Refused,
    Request,
    decode_json,
    ending,
    make_refusal,
    read_all,
)
from envs.dialects.pictures import data_url, fit_to_display

KINDS: dict[str, type[BaseModel]] = {
    kind.model_fields["type"].default: kind for kind in get_args(get_args(SimpleAction)[0])
}
VALUE_CHARS = 20_000
_OPEN, _CLOSE = "<tool_call>", "</tool_call>"


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Function(_Lenient):
    """Name and JSON arguments of a called function."""

    name: str
    arguments: str | Json | None = None


class ToolCall(_Lenient):
    """One tool call of a chat message."""

    id: str = ""
    function: Function


class Part(_Lenient):
    """A part of a message's content."""

    text: str | None = None


class Message(_Lenient):
    """An assistant message of the chat API."""

    content: str | tuple[Part, ...] | None = None
    refusal: str | None = None
    reasoning: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None

    def text(self) -> str:
        """The text of the message."""
        if isinstance(self.content, tuple):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or self.refusal or ""


def tools(without: Collection[str] = ()) -> list[Json]:
    """The tools to declare; `without` names kinds of actions that the environment does not have."""
    return [_tool(name, kind) for name, kind in KINDS.items() if name not in without]


def _tool(name: str, kind: type[BaseModel]) -> Json:
    schema = _strip_titles(kind.model_json_schema())
    description = " ".join(schema.pop("description").split())
    del schema["properties"]["type"]
    function = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": function}


def _strip_titles(schema: Any) -> Any:
    """Without the titles that pydantic makes of the fields' names."""
    if isinstance(schema, list):
        return [_strip_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _strip_titles(part)
        for key, part in schema.items()
        if key != "title" or not isinstance(part, str)
    }


def parse(output: object, display: Display, tree: int | None = None) -> Parsed:
    """Reads a message, a completion, or the JSON text of either. Refs are bound to `tree`."""
    try:
        data = decode_json(output)
        if isinstance(data, dict) and isinstance(data.get("choices"), list) and data["choices"]:
            data = data["choices"][0]
        if isinstance(data, dict) and "message" in data:
            data = data["message"]
        message = Message.model_validate(data)
    except Refused as wrong:
        return Parsed("", (), wrong.result)
    except ValidationError as invalid:
        return make_refusal(why_invalid(invalid))
    thought = message.reasoning_content or message.reasoning or ""
    text, written = _written_calls(message.text())
    requests = [
        *(_request(call.function, call.id, display, tree) for call in message.tool_calls or ()),
        *(_written_request(call, display, tree) for call in written),
    ]
    if requests:
        return read_all("\n".join(filter(None, (thought, text))), requests)
    if not text.strip():
        return make_refusal("the answer has neither a tool call nor text", thought)
    return read_all(thought, [Request(lambda: [ending(text)])])


def _written_calls(text: str) -> tuple[str, list[str]]:
    """The text without the calls written in it, and those."""
    rest, *pieces = text.split(_OPEN)
    calls = []
    for piece in pieces:
        call, _, after = piece.partition(_CLOSE)
        calls.append(call)
        rest += after
    return rest.strip(), calls


def _request(function: Function, id: str, display: Display, tree: int | None) -> Request:
    return Request(lambda: [_action(function, display, tree)], id)


def _written_request(text: str, display: Display, tree: int | None) -> Request:
    def read() -> list[SimpleAction]:
        return [_action(Function.model_validate(decode_json(text)), display, tree)]

    return Request(read)


def _action(function: Function, display: Display, tree: int | None) -> SimpleAction:
    if function.name not in KINDS:
        raise Refused(f"there is no tool {one_line(function.name, 40)!r}")
    arguments = decode_json(function.arguments or "{}")
    if not isinstance(arguments, dict) or "type" in arguments:
        raise Refused(f"the arguments of {function.name} must be a JSON object of its fields")
    action = simple_action_adapter.validate_python({"type": function.name, **arguments})
    return with_places(action, lambda target: _real(target, display, tree))


def _real(target: Target, display: Display, tree: int | None) -> Target:
    if target.ref is not None:
        return target if target.tree is not None else target.model_copy(update={"tree": tree})
    if target.x is None or target.y is None or target.space is not Space.PX:
        return target
    return display.target(target.x, target.y)


def write(thought: str, actions: Iterable[tuple[str, SimpleAction]], display: Display) -> Json:
    """The assistant message that says these (id, action) pairs: for examples and demonstrations."""

    def to_picture_pixels(target: Target) -> Target:
        if target.x is None or target.space is not Space.PX:
            return target
        x, y = display.point(target)
        return Target(x=x, y=y)

    calls = []
    for id, action in actions:
        fields = with_places(action, to_picture_pixels).model_dump(
            mode="json", exclude_defaults=True
        )
        fields.pop("type", None)
        arguments = json.dumps(fields, ensure_ascii=False)
        function = {"name": action.type, "arguments": arguments}
        calls.append({"id": id, "type": "function", "function": function})
    return {"role": "assistant", "content": thought or None, "tool_calls": calls}


def render(
    parsed: Parsed | None,
    results: Sequence[ActionResult],
    observation: Observation,
    display: Display,
) -> list[Json]:
    """Messages of the next request: a tool message a call, then the observation as the user's.
    `parsed` is None for the first."""
    messages: list[Json] = []
    lines: list[str] = []
    if parsed is not None:
        outcomes = parsed.outcomes(results)
        for call, outcome in zip(parsed.calls, outcomes, strict=True):
            result_text = _result_text(outcome)
            if call.id:
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result_text})
            elif result_text != "ok":
                lines.append(result_text)
        if parsed.error is not None and not parsed.calls:
            lines.append(_result_text(parsed.error))
    lines += lines_of(observation)
    lines += lines_of_part(observation.screenshot, display, SHOWN)
    content: list[Json] = [{"type": "text", "text": "\n".join(lines)}]
    if observation.screenshot is not None:
        url = data_url(fit_to_display(observation.screenshot, display))
        content.append({"type": "image_url", "image_url": {"url": url}})
    return [*messages, {"role": "user", "content": content}]


def _result_text(outcome: ActionResult) -> str:
    if not outcome.ok:
        return f"error: {outcome.message}"
    if outcome.value is None:
        return "ok"
    return json.dumps(outcome.value, ensure_ascii=False, default=str)[:VALUE_CHARS]
