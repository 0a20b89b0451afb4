"""Qwen's `computer_use`: a tool call of the model's own chat template, as text.

    <tool_call>
    {"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [120, 48]}}
    </tool_call>

Read are the actions of the published function (Qwen2.5-VL, Qwen3-VL; the cookbooks of both):

    left_click, right_click, middle_click, double_click, triple_click
                              a click at `coordinate`, or where the pointer is
    mouse_move, left_click_drag
                              a move; a drag from where the pointer is
    key                       a chord, `keys`
    type                      `text`; a line break at the end presses Enter
    scroll, hscroll           `pixels`: positive scrolls up, or left
    wait                      `time` seconds
    zoom, crop, mark          ours: the part of the screen between the corners of `region`, enlarged
                              or as it is; numbered crosses at `points`
    answer, terminate         done, `text` is the answer; with `status` failure: infeasible

Several calls in one answer are carried out in order. What stands before the first call is the
thought. Coordinates: 0 to 1000 for Qwen3-VL, pixels of the resized picture for Qwen2.5-VL. The
format cannot say: keys held while clicking, drags from another point than the pointer's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from envs.contract.actions import (
    Click,
    Done,
    Infeasible,
    Key,
    Mark,
    Move,
    Scroll,
    SimpleAction,
    Target,
    Type,
    Wait,
    Zoom,
)
from envs.contract.keys import canonical_key
from envs.dialects.coordinates import RELATIVE, Coordinates
from envs.dialects.dialect import (
    MAX_CHARS,
    Display,
    Format,
    Number,
    Parsed,
    Refused,
    Request,
    decode_json,
    make_refusal,
    make_unsupported,
    read_all,
    waits,
)

NAME = "computer_use"
_CALL = re.compile(r"<tool_call>(?P<call>.*?)(?:</tool_call>|\Z)", re.DOTALL)
WAIT_S = 1.0


class _Arguments(Format):
    action: str
    coordinate: tuple[Number, Number] | None = None
    keys: tuple[str, ...] = ()
    text: str | None = None
    pixels: Number | None = None
    time: Number | None = None
    region: tuple[Number, Number, Number, Number] | None = None
    points: tuple[tuple[Number, Number], ...] = ()
    status: str | None = None


class _Tool(Format):
    name: str
    arguments: _Arguments


@dataclass(frozen=True, slots=True)
class _Said:
    """The arguments of one call, and the picture that they are about."""

    arguments: _Arguments
    display: Display
    coordinates: Coordinates

    def target(self) -> Target | None:
        point = self.arguments.coordinate
        return None if point is None else self.coordinates.target(*point, self.display)

    def point(self) -> Target:
        target = self.target()
        if target is None:
            raise Refused(f"{self.arguments.action} needs coordinate")
        return target

    def corners(self) -> tuple[Target, Target]:
        region = self.arguments.region
        if region is None:
            raise Refused(f"{self.arguments.action} needs region")
        left, top, right, bottom = region
        return (
            self.coordinates.target(left, top, self.display),
            self.coordinates.target(right, bottom, self.display),
        )

    def points(self) -> tuple[Target, ...]:
        return tuple(
            self.coordinates.target(*point, self.display) for point in self.arguments.points
        )

    def text(self) -> str:
        if self.arguments.text is None:
            raise Refused(f"{self.arguments.action} needs text")
        return self.arguments.text

    def pixels(self) -> float:
        if self.arguments.pixels is None:
            raise Refused(f"{self.arguments.action} needs pixels")
        return self.arguments.pixels


def _click(spoken: _Said, **more: Any) -> list[SimpleAction]:
    return [Click(target=spoken.target(), **more)]


def _type(spoken: _Said) -> list[SimpleAction]:
    text = spoken.text()
    return [Type(text=text.rstrip("\n"), submit=text.endswith("\n"))]


def _key(spoken: _Said) -> list[SimpleAction]:
    if not spoken.arguments.keys:
        raise Refused("key needs keys")
    try:
        return [Key(keys=tuple(canonical_key(key) for key in spoken.arguments.keys))]
    except ValueError as error:
        raise Refused(str(error)) from error


def _drag(spoken: _Said) -> list[SimpleAction]:
    raise make_unsupported("a drag from where the pointer is: move, hold and release apart")


def _terminate(spoken: _Said) -> list[SimpleAction]:
    if spoken.arguments.status == "failure":
        return [Infeasible(reason=spoken.arguments.text or "")]
    return [Done(answer=spoken.arguments.text)]


_READERS: dict[str, Callable[[_Said], list[SimpleAction]]] = {
    "left_click": _click,
    "right_click": lambda spoken: _click(spoken, button="right"),
    "middle_click": lambda spoken: _click(spoken, button="middle"),
    "double_click": lambda spoken: _click(spoken, count=2),
    "triple_click": lambda spoken: _click(spoken, count=3),
    "mouse_move": lambda spoken: [Move(target=spoken.point())],
    "left_click_drag": _drag,
    "key": _key,
    "type": _type,
    # The published function turns the wheel up for positive numbers.
    "scroll": lambda spoken: [Scroll(target=spoken.target(), dy=-spoken.pixels())],
    "hscroll": lambda spoken: [Scroll(target=spoken.target(), dx=-spoken.pixels())],
    "wait": lambda spoken: waits(
        WAIT_S if spoken.arguments.time is None else spoken.arguments.time
    ),
    "zoom": lambda spoken: [Zoom(corners=spoken.corners())],
    "crop": lambda spoken: [Zoom(corners=spoken.corners(), enlarge=False)],
    "mark": lambda spoken: [Mark(points=spoken.points())],
    "answer": lambda spoken: [Done(answer=spoken.text())],
    "terminate": _terminate,
}


def parse(output: object, display: Display, coordinates: Coordinates = RELATIVE) -> Parsed:
    """Reads an answer's text."""
    if not isinstance(output, str) or len(output) > MAX_CHARS:
        return make_refusal(f"expected a text of at most {MAX_CHARS} characters")
    calls = list(_CALL.finditer(output))
    if not calls:
        return make_refusal("the answer has no <tool_call>", output[:2000])

    def read_one(text: str) -> Callable[[], list[SimpleAction]]:
        return lambda: _read_call(text, display, coordinates)

    return read_all(output[: calls[0].start()], [Request(read_one(call["call"])) for call in calls])


def _read_call(text: str, display: Display, coordinates: Coordinates) -> list[SimpleAction]:
    tool = _Tool.model_validate(decode_json(text.strip()))
    if tool.name != NAME:
        raise Refused(f"there is no tool {tool.name[:40]!r}")
    if tool.arguments.action not in _READERS:
        raise Refused(f"there is no action {tool.arguments.action[:40]!r}")
    return _READERS[tool.arguments.action](_Said(tool.arguments, display, coordinates))


def write(
    thought: str, actions: Sequence[SimpleAction], display: Display, coordinates: Coordinates
) -> str:
    """The answer in which a model would say these actions, targets being points: `parse` gives them
    back. Raises Refused for one that the format cannot say."""
    calls = [
        f"<tool_call>\n{json.dumps({'name': NAME, 'arguments': arguments}, ensure_ascii=False)}\n"
        "</tool_call>"
        for arguments in (_say(action, display, coordinates) for action in actions)
    ]
    words = " ".join(thought.split())
    return "\n".join([words, *calls] if words else calls)


_CLICKS = {
    ("left", 1): "left_click",
    ("right", 1): "right_click",
    ("middle", 1): "middle_click",
    ("left", 2): "double_click",
    ("left", 3): "triple_click",
}


def _say(action: SimpleAction, display: Display, coordinates: Coordinates) -> dict[str, Any]:
    def place(target: Target | None) -> dict[str, Any]:
        return {} if target is None else {"coordinate": list(coordinates.point(target, display))}

    match action:
        case Click(target=at, button=button, count=count, modifiers=()) if (
            button,
            count,
        ) in _CLICKS:
            return {"action": _CLICKS[button, count], **place(at)}
        case Move(target=at):
            return {"action": "mouse_move", **place(at)}
        case Type(text=text, target=None, clear=False, submit=submit) if not text.endswith("\n"):
            return {"action": "type", "text": text + "\n" * submit}
        case Key(keys=keys, repeat=1):
            return {"action": "key", "keys": list(keys)}
        case Scroll(target=at, dx=0, dy=dy, unit="px"):
            return {"action": "scroll", "pixels": -dy, **place(at)}
        case Scroll(target=at, dx=dx, dy=0, unit="px"):
            return {"action": "hscroll", "pixels": -dx, **place(at)}
        case Wait(ms=ms):
            return {"action": "wait", "time": ms / 1000}
        case Zoom(corners=(start, end), enlarge=enlarge):
            region = [*coordinates.point(start, display), *coordinates.point(end, display)]
            return {"action": "zoom" if enlarge else "crop", "region": region}
        case Mark(points=points, line=False):
            places = [list(coordinates.point(point, display)) for point in points]
            return {"action": "mark", "points": places}
        case Done(answer=None):
            return {"action": "terminate", "status": "success"}
        case Done(answer=str(answer)):
            return {"action": "answer", "text": answer}
        case Infeasible(reason=reason):
            more = {"text": reason} if reason else {}
            return {"action": "terminate", "status": "failure", **more}
    raise make_unsupported(f"{NAME} cannot say {action.type} so")
