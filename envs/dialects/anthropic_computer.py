"""Anthropic's computer tool: `tool_use` blocks in, `tool_result` blocks out.

One reader for `computer_20241022`, `computer_20250124` and `computer_20251124`: a later version
only adds actions and optional fields, so what an earlier one may not say is understood all the
same; `tool` declares the version that the model is offered. `parse` takes a message or its list of
content blocks. A message without a tool_use ends the episode: its text is the answer, or, after
`[INFEASIBLE]`, the reason (the format has no word for that).

    left_click, right_click, middle_click, double_click, triple_click
                             a click at `coordinate`, or where the pointer is; `text` (or `key`)
                             are keys held
    mouse_move, left_mouse_down, left_mouse_up
                             the same
    left_click_drag          a drag; without `start_coordinate` from where the pointer is, as
                             button down, move, button up
    scroll                   `scroll_amount` notches; `text` are keys held
    key                      chords as xdotool writes them, several with blanks between them
    hold_key, wait           keys down, a wait, keys up; waits are bounded (dialect.MAX_WAIT_MS)
    type                     text
    screenshot               a wait of 0 ms: every step is answered with a screenshot
    zoom                     the same, and the answer's picture is the region, enlarged

Coordinates are those of the picture shown (`Display.shown`), which the tool's declaration names.

The format cannot say: elements by ref or selector, the back and forward buttons, a drag of several
points, tabs, windows, tools. Ours cannot say `cursor_position`: no environment tells it, and it
is refused as unsupported (a desktop's screenshot shows the pointer). Calls of other tools (bash,
text editor) are refused likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.contract.actions import (
    MAX_ACTIONS,
    ActionResult,
    Button,
    Click,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    SimpleAction,
    Target,
    Type,
    why_invalid,
)
from envs.contract.keys import chord
from envs.contract.observations import Observation, Screenshot, lines_of
from envs.dialects.dialect import (
    LOOK,
    Box,
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
    notches,
    read_all,
    waits,
)
from envs.dialects.pictures import enlarge, fit_to_display, media_type

TOOL_NAME = "computer"
Version = Literal["computer_20241022", "computer_20250124", "computer_20251124"]


class Input(Format):
    """What one tool_use asks for. Which fields belong to which action is checked when read."""

    action: str
    coordinate: tuple[Number, Number] | None = None
    start_coordinate: tuple[Number, Number] | None = None
    text: str | None = None
    key: str | None = None
    duration: Number | None = None
    scroll_direction: Literal["up", "down", "left", "right"] | None = None
    scroll_amount: Number | None = None
    region: tuple[Number, Number, Number, Number] | None = None
    repeat: int = Field(1, ge=1, le=100)


class ToolUse(BaseModel):
    """A tool call block of the Messages API."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    name: str
    input: Json


def tool(display: Display, version: Version = "computer_20250124", *, zoom: bool = False) -> Json:
    """The tool to declare. `zoom` needs computer_20251124. Raises ValueError."""
    width, height = display.picture
    declared: Json = {
        "type": version,
        "name": TOOL_NAME,
        "display_width_px": width,
        "display_height_px": height,
    }
    if zoom:
        if version != "computer_20251124":
            raise ValueError(f"{version} has no zoom")
        declared["enable_zoom"] = True
    return declared


def parse(output: object, display: Display) -> Parsed:
    """Reads a message, its list of content blocks, or the JSON text of either."""
    try:
        blocks = decode_json(output)
        if isinstance(blocks, dict):
            blocks = blocks.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            return make_refusal("expected a list of content blocks")
        uses = [ToolUse.model_validate(b) for b in blocks if b.get("type") == "tool_use"]
    except Refused as wrong:
        return Parsed("", (), wrong.result)
    except ValidationError as invalid:
        return make_refusal(why_invalid(invalid))
    texts, thoughts = _strings(blocks, "text"), _strings(blocks, "thinking")
    if uses:
        return read_all("\n".join([*thoughts, *texts]), [_request(use, display) for use in uses])
    answer = "\n".join(texts)
    if not answer.strip():
        return make_refusal("the answer has neither a tool_use nor text", "\n".join(thoughts))
    return read_all("\n".join(thoughts), [Request(lambda: [ending(answer)])])


def _strings(blocks: list[Json], kind: str) -> list[str]:
    """The texts of the blocks of a kind; a block's text is in the field named like its kind."""
    matches = [block.get(kind) for block in blocks if block.get("type") == kind]
    return [text for text in matches if isinstance(text, str)]


def _request(use: ToolUse, display: Display) -> Request:
    def read() -> list[SimpleAction]:
        if use.name != TOOL_NAME:
            raise make_unsupported(f"there is no tool {use.name[:40]!r} here, only {TOOL_NAME!r}")
        call = Input.model_validate(use.input)
        if call.action not in _READERS:
            raise Refused(f"there is no action {call.action[:40]!r}")
        return _READERS[call.action](call, display)

    return Request(read, use.id, _region(use.input, display))


def _region(data: Json, display: Display) -> Box | None:
    """The part to show, of a zoom that will be accepted; None for all else."""
    try:
        call = Input.model_validate(data)
        return _box(call, display) if call.action == "zoom" else None
    except (ValidationError, Refused):
        return None


def _box(call: Input, display: Display) -> Box:
    if call.region is None:
        raise Refused("zoom needs a region")
    left, top, right, bottom = call.region
    width, height = display.picture
    if not (0 <= left < right <= width and 0 <= top < bottom <= height):
        raise Refused(f"region is not [left, top, right, bottom] within {width} x {height}")
    return left / width, top / height, right / width, bottom / height


def _point(call: Input, display: Display) -> Target | None:
    return None if call.coordinate is None else display.target(*call.coordinate)


def _needed_point(call: Input, display: Display) -> Target:
    if call.coordinate is None:
        raise Refused(f"{call.action} needs a coordinate")
    return display.target(*call.coordinate)


def _needed_text(call: Input) -> str:
    if call.text is None:
        raise Refused(f"{call.action} needs text")
    return call.text


def _seconds(call: Input) -> list[SimpleAction]:
    if call.duration is None:
        raise Refused(f"{call.action} needs a duration")
    return waits(call.duration)


def _chord(text: str) -> tuple[str, ...]:
    try:
        return chord(text)
    except ValueError as error:
        raise Refused(str(error)) from error


def _held_keys(call: Input) -> tuple[str, ...]:
    text = call.text or call.key
    return _chord(text) if text else ()


def _click(button: Button, count: int) -> Callable[[Input, Display], list[SimpleAction]]:
    def read(call: Input, display: Display) -> list[SimpleAction]:
        action = Click(target=_point(call, display), button=button, count=count)
        return holding(_held_keys(call), action)

    return read


def _drag(call: Input, display: Display) -> list[SimpleAction]:
    end = _needed_point(call, display)
    if call.start_coordinate is None:
        return holding(_held_keys(call), MouseDown(), Move(target=end), MouseUp())
    start = display.target(*call.start_coordinate)
    return holding(_held_keys(call), Drag(path=(start, end)))


def _scroll(call: Input, display: Display) -> list[SimpleAction]:
    if call.scroll_direction is None or call.scroll_amount is None or call.scroll_amount < 0:
        raise Refused("scroll needs a scroll_direction and a scroll_amount of 0 or more")
    where = _point(call, display)
    return holding(_held_keys(call), notches(call.scroll_direction, call.scroll_amount, where))


def _key(call: Input, display: Display) -> list[SimpleAction]:
    text = _needed_text(call)
    words = text.split() or ([" "] if text else [])
    if not words:
        raise Refused("key needs text")
    if len(words) * call.repeat > MAX_ACTIONS:
        raise Refused(f"more than {MAX_ACTIONS} keys at once")
    if len(words) == 1:
        return [Key(keys=_chord(words[0]), repeat=call.repeat)]
    return [Key(keys=_chord(word)) for _ in range(call.repeat) for word in words]


def _hold_key(call: Input, display: Display) -> list[SimpleAction]:
    keys = _chord(_needed_text(call))
    down: list[SimpleAction] = [KeyDown(key=key) for key in keys]
    return [*down, *_seconds(call), *(KeyUp(key=key) for key in reversed(keys))]


def _zoom(call: Input, display: Display) -> list[SimpleAction]:
    _box(call, display)
    return [LOOK]


def _cursor_position(call: Input, display: Display) -> list[SimpleAction]:
    raise make_unsupported("cursor_position is not supported: the screenshot shows the pointer")


_READERS: dict[str, Callable[[Input, Display], list[SimpleAction]]] = {
    "left_click": _click("left", 1),
    "right_click": _click("right", 1),
    "middle_click": _click("middle", 1),
    "double_click": _click("left", 2),
    "triple_click": _click("left", 3),
    "mouse_move": lambda call, display: [Move(target=_needed_point(call, display))],
    "left_mouse_down": lambda call, display: [MouseDown(target=_point(call, display))],
    "left_mouse_up": lambda call, display: [MouseUp(target=_point(call, display))],
    "left_click_drag": _drag,
    "scroll": _scroll,
    "key": _key,
    "hold_key": _hold_key,
    "type": lambda call, display: [Type(text=_needed_text(call))],
    "wait": lambda call, display: _seconds(call),
    "screenshot": lambda call, display: [LOOK],
    "zoom": _zoom,
    "cursor_position": _cursor_position,
}


def render(
    parsed: Parsed, results: Sequence[ActionResult], observation: Observation, display: Display
) -> list[Json]:
    """Content blocks of the next user message: a tool_result a call, the last with the screenshot,
    each zoom with its region; only a message if there was no call. Raises ValueError where a
    screenshot is missing."""
    if observation.screenshot is None:
        raise ValueError("computer use needs a screenshot; observe one")
    whole = _image(fit_to_display(observation.screenshot, display))
    seen: list[Json] = [whole]
    if observation.dialog is not None or observation.tree is not None:
        seen.insert(0, {"type": "text", "text": "\n".join(lines_of(observation))})
    if not parsed.calls or not parsed.calls[-1].id:
        why = "" if parsed.error is None else parsed.error.message
        return [{"type": "text", "text": f"error: {why}"}, *seen]
    blocks: list[Json] = []
    for call, outcome in zip(parsed.calls, parsed.outcomes(results), strict=True):
        content: list[Json] = []
        if not outcome.ok:
            content.append({"type": "text", "text": outcome.message})
        elif outcome.value is not None:
            content.append({"type": "text", "text": str(outcome.value)})
        if call.region is not None and outcome.ok:
            content.append(_image(enlarge(observation.screenshot, call.region, display)))
        elif call is parsed.calls[-1]:
            content += seen
        block: Json = {"type": "tool_result", "tool_use_id": call.id, "content": content}
        if not outcome.ok:
            block["is_error"] = True
        blocks.append(block)
    return blocks


def _image(screenshot: Screenshot) -> Json:
    source = {
        "type": "base64",
        "media_type": media_type(screenshot),
        "data": screenshot.data,
    }
    return {"type": "image", "source": source}
