"""OpenAI's computer use: items of the Responses API, with `computer` and `computer_use_preview`.

`parse` takes a response or its `output` list. Every `computer_call` has an `action`, or `actions`
in order. A response with a message and no call ends the episode: the message is the answer, or,
after `[INFEASIBLE]`, the reason (the format has no word for that).

    click, double_click, move, drag    the same; `keys` held become modifiers, or keys down and up
    scroll                             by pixels at the point
    keypress, type                     a chord; text
    wait                               2 s, as it names no time
    screenshot                         a wait of 0 ms: every step is answered with a screenshot

Safety checks: a call that has some is refused with `not_allowed` unless `acknowledge` is set, which
is the caller's word that somebody looked, or that the environment is a box where nothing matters.
The API takes no output for such a call without the acknowledgement, so a run that does not give it
should end there.

The format cannot say: elements by ref or selector, single buttons or keys down and up, tabs,
windows, tools, a triple click, typing into a field at once. Its results are pictures only, so
errors and what a picture does not show (a JavaScript dialog) follow as a user message. Ours can
say all that the format can, but calls of other tools (`function_call`), which are unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from envs.contract import actions as ours
from envs.contract.actions import ActionError, ActionResult, SimpleAction, why_invalid
from envs.contract.keys import canonical_key
from envs.contract.observations import Observation, lines_of
from envs.dialects.dialect import (
    LOOK,
    Display,
    Format,
    Json,
    Number,
    Parsed,
    Refused,
    Request,
    decode_json,
    ending,
    holding,
    make_refusal,
    make_unsupported,
    read_all,
    waits,
)
from envs.dialects.pictures import data_url, fit_to_display

WAIT_S = 2.0
Keys = Annotated[tuple[str, ...], Field(max_length=8)]


class Click(Format):
    """A click at a point."""

    type: Literal["click"]
    x: Number
    y: Number
    button: Literal["left", "right", "wheel", "back", "forward"] = "left"
    keys: Keys | None = None


class DoubleClick(Format):
    """A double click at a point."""

    type: Literal["double_click"]
    x: Number
    y: Number
    keys: Keys | None = None


class Move(Format):
    """A pointer move."""

    type: Literal["move"]
    x: Number
    y: Number
    keys: Keys | None = None


class Point(Format):
    """A point in screenshot pixels."""

    x: Number
    y: Number


def _pair(value: Any) -> Any:
    return {"x": value[0], "y": value[1]} if isinstance(value, list) and len(value) == 2 else value


class Drag(Format):
    """The reference gives points as objects, some models give pairs."""

    type: Literal["drag"]
    path: tuple[Annotated[Point, BeforeValidator(_pair)], ...] = Field(
        min_length=2, max_length=1000
    )
    keys: Keys | None = None


class Scroll(Format):
    """The reference says scroll_x, the guide's sample code scrollX."""

    type: Literal["scroll"]
    x: Number
    y: Number
    scroll_x: Number = Field(0, validation_alias=AliasChoices("scroll_x", "scrollX"))
    scroll_y: Number = Field(0, validation_alias=AliasChoices("scroll_y", "scrollY"))
    keys: Keys | None = None


class Keypress(Format):
    """Keys pressed together."""

    type: Literal["keypress"]
    keys: Keys = Field(min_length=1)


class Type(Format):
    """Text to type."""

    type: Literal["type"]
    text: str


class Wait(Format):
    """A pause."""

    type: Literal["wait"]


class Screenshot(Format):
    """A request for a picture."""

    type: Literal["screenshot"]


ComputerAction = Click | DoubleClick | Move | Drag | Scroll | Keypress | Type | Wait | Screenshot
_computer_action: TypeAdapter[ComputerAction] = TypeAdapter(
    Annotated[ComputerAction, Field(discriminator="type")]
)


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SafetyCheck(_Item):
    """A safety check of the API that is waiting for acknowledgement."""

    id: str
    code: str | None = None
    message: str | None = None


class ComputerCall(_Item):
    """A computer call item of the Responses API."""

    call_id: str
    action: Json | None = None
    actions: tuple[Json, ...] | None = None
    pending_safety_checks: tuple[SafetyCheck, ...] = ()
    status: Literal["in_progress", "completed", "incomplete"] = "completed"


def tool(display: Display, environment: str | None = None) -> Json:
    """The tool to declare: the current one, or with an `environment` ("browser", "ubuntu", ...)
    the preview model's."""
    if environment is None:
        return {"type": "computer"}
    width, height = display.picture
    return {
        "type": "computer_use_preview",
        "display_width": width,
        "display_height": height,
        "environment": environment,
    }


def parse(output: object, display: Display, *, acknowledge: bool = False) -> Parsed:
    """Reads a response, its list of output items, or the JSON text of either."""
    try:
        items = decode_json(output)
        if isinstance(items, dict):
            items = items.get("output")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return make_refusal("expected a list of output items")
        return _parse_items(items, display, acknowledge)
    except Refused as wrong:
        return Parsed("", (), wrong.result)
    except ValidationError as invalid:
        return make_refusal(why_invalid(invalid))


def _parse_items(items: list[Json], display: Display, acknowledge: bool) -> Parsed:
    calls = [ComputerCall.model_validate(i) for i in items if i.get("type") == "computer_call"]
    others = {str(item.get("type"))[:40] for item in items} - _KNOWN
    thoughts = [text for item in items if item.get("type") == "reasoning" for text in _texts(item)]
    message = "\n".join(
        text for item in items if item.get("type") == "message" for text in _texts(item)
    )
    if others:

        def refuse() -> list[SimpleAction]:
            raise make_unsupported(f"cannot answer items of type {', '.join(sorted(others))}")

        return read_all(
            message, [Request(refuse, call.call_id) for call in calls] or [Request(refuse)]
        )
    if not calls:
        if not message.strip():
            return make_refusal("the answer has neither a computer_call nor a message")
        return read_all("\n".join(thoughts), [Request(lambda: [ending(message)])])
    return read_all(
        "\n".join([*thoughts, message]), [_request(call, display, acknowledge) for call in calls]
    )


_KNOWN = {"computer_call", "message", "reasoning"}


def _texts(item: Json) -> list[str]:
    """The texts of a message's or a reasoning item's parts."""
    parts = item.get("content") or item.get("summary") or []
    if isinstance(parts, str):
        return [parts]
    if not isinstance(parts, list):
        return []
    texts = [
        part.get("text") or part.get("refusal") if isinstance(part, dict) else None
        for part in parts
    ]
    return [text for text in texts if isinstance(text, str)]


def _request(call: ComputerCall, display: Display, acknowledge: bool) -> Request:
    def read() -> list[SimpleAction]:
        if call.status != "completed":
            raise Refused(f"the computer_call was cut off ({call.status})")
        if call.pending_safety_checks and not acknowledge:
            why = "; ".join(c.message or c.code or c.id for c in call.pending_safety_checks)
            raise Refused(f"safety checks were not acknowledged: {why}", ActionError.NOT_ALLOWED)
        raw_actions = call.actions if call.actions is not None else (call.action or {},)
        return [
            action
            for raw in raw_actions
            for action in _translate(_computer_action.validate_python(raw), display)
        ]

    checks = tuple(c.model_dump(exclude_none=True) for c in call.pending_safety_checks)
    return Request(read, call.call_id, checks=checks)


def _translate(raw_action: ComputerAction, display: Display) -> list[SimpleAction]:
    match raw_action:
        case Click(x=x, y=y, button=button, keys=keys):
            pressed: ours.Button = "middle" if button == "wheel" else button
            return holding(keys or (), ours.Click(target=display.target(x, y), button=pressed))
        case DoubleClick(x=x, y=y, keys=keys):
            return holding(keys or (), ours.Click(target=display.target(x, y), count=2))
        case Move(x=x, y=y, keys=keys):
            return holding(keys or (), ours.Move(target=display.target(x, y)))
        case Drag(path=path, keys=keys):
            points = tuple(display.target(point.x, point.y) for point in path)
            return holding(keys or (), ours.Drag(path=points))
        case Scroll(x=x, y=y, scroll_x=dx, scroll_y=dy, keys=keys):
            scale = display.width / display.picture[0], display.height / display.picture[1]
            scroll = ours.Scroll(target=display.target(x, y), dx=dx * scale[0], dy=dy * scale[1])
            return holding(keys or (), scroll)
        case Keypress(keys=keys):
            return [ours.Key(keys=_chord(keys))]
        case Type(text=text):
            return [ours.Type(text=text)]
        case Wait():
            return waits(WAIT_S)
        case Screenshot():
            return [LOOK]


def _chord(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Letters of a chord are named in capitals, which does not mean Shift."""
    named = [canonical_key(key) for key in keys]
    if len(named) == 1:
        return (named[0],)
    return tuple(key.lower() if len(key) == 1 else key for key in named)


def render(
    parsed: Parsed, results: Sequence[ActionResult], observation: Observation, display: Display
) -> list[Json]:
    """Input items for the next request: an output a call, then a user message if there is something
    that pictures do not say. Raises ValueError without a screenshot."""
    if observation.screenshot is None:
        raise ValueError("computer use needs a screenshot; observe one")
    image = data_url(fit_to_display(observation.screenshot, display))
    outcomes = parsed.outcomes(results)
    items: list[Json] = []
    for call in parsed.calls:
        if not call.id:
            continue
        item: Json = {
            "type": "computer_call_output",
            "call_id": call.id,
            "output": {"type": "computer_screenshot", "image_url": image},
        }
        if call.checks:
            item["acknowledged_safety_checks"] = list(call.checks)
        items.append(item)
    messages = {outcome.message: None for outcome in outcomes if not outcome.ok}
    if parsed.error is not None:
        messages[parsed.error.message] = None
    lines = [f"error: {message}" for message in messages]
    if observation.dialog is not None or observation.tree is not None:
        lines += lines_of(observation)
    if lines:
        content: list[Json] = [{"type": "input_text", "text": "\n".join(lines)}]
        if not items:
            content.append({"type": "input_image", "image_url": image})
        items.append({"role": "user", "content": content})
    return items
