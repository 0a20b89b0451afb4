"""UI-TARS: "Thought: ..." and "Action: click(start_box='(197,525)')", as text.

Read are the spellings of all published versions: `start_box` or `point`; numbers in parentheses,
brackets, `<|box_start|>`, `<point>` or `<bbox>`; two numbers for a point, four for a box, whose
middle is meant; "Reflection:" and "Action_Summary:" before the action; several actions, one a line.

    click, left_single, left_double, right_single, hover, drag, select
                              a click, a double click, a right click, a move, a drag
    hotkey                    a chord, keys parted by blanks (or +)
    press/keydown, release/keyup
                              a key down, a key up (so the published parser takes them)
    type                      text; a line break at the end presses Enter
    scroll                    5 notches up, down, left or right
    wait                      5 s
    finished                  done; its content is the answer
    call_user                 infeasible: nobody is there to be called
    zoom, crop, mark          ours, in no published version: the part between two points, enlarged
                              or as it is; crosses at one or two points and a line between them

Coordinates are relative or absolute. `RELATIVE` (UI-TARS 1.0 on Qwen2-VL, Doubao's): 0 to 1000 in
both directions. `ABSOLUTE` (UI-TARS 1.5 on Qwen2.5-VL): pixels of the picture as the model's
preprocessing resizes it, `smart_resize`; pass the limits that the serving engine uses.

The format cannot say: keys held while clicking, other buttons, how far to scroll, anything but
input. It has no place for errors: they stand as text before the next screenshot. Ours cannot say
what the phone versions do (`long_press`, `open_app`, `press_home`, `press_back`): unsupported. The
system prompt is the model's own and not part of this project.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from envs.contract.actions import (
    ActionResult,
    Click,
    Done,
    Drag,
    Infeasible,
    Key,
    KeyDown,
    KeyUp,
    Scroll,
    SimpleAction,
    Target,
    Wait,
)
from envs.contract.observations import Observation, one_line
from envs.dialects.box_calls import (
    COMMON_READERS,
    BoxCall,
    quote,
    read_call,
    split_calls,
    write_common_call,
)
from envs.dialects.coordinates import (
    ABSOLUTE,
    RELATIVE,
    Absolute,
    Coordinates,
    Relative,
    lines_of_part,
)
from envs.dialects.dialect import (
    MAX_CHARS,
    Display,
    Json,
    Parsed,
    Refused,
    Request,
    make_refusal,
    make_unsupported,
    notches,
    read_all,
    waits,
)
from envs.dialects.pictures import data_url, fit_to_display

SCROLL_NOTCHES = 5
WAIT_S = 5.0


__all__ = ["ABSOLUTE", "RELATIVE", "Absolute", "Relative", "parse", "render", "write"]

_ACTION = re.compile(r"^[ \t]{0,8}Action:", re.MULTILINE)
_LABEL = re.compile(r"^[ \t]{0,8}(?:Thought|Reflection|Action_Summary):[ \t]{0,8}", re.MULTILINE)


def parse(output: object, display: Display, coordinates: Coordinates = RELATIVE) -> Parsed:
    """Reads an answer's text."""
    if not isinstance(output, str) or len(output) > MAX_CHARS:
        return make_refusal(f"expected a text of at most {MAX_CHARS} characters")
    text = output.strip().removesuffix("[EOS]").strip()
    starts = list(_ACTION.finditer(text))
    if not starts:
        return make_refusal("the answer has no line 'Action: ...'", text[:2000])
    thought = _LABEL.sub("", text[: starts[0].start()]).strip()

    def read() -> list[SimpleAction]:
        call_text = text[starts[-1].end() :].strip()
        return [
            action
            for call in split_calls(call_text)
            for action in _read_call(call, thought, display, coordinates)
        ]

    return read_all(thought, [Request(read)])


def _read_call(
    call_text: str, thought: str, display: Display, coordinates: Coordinates
) -> list[SimpleAction]:
    name, arguments = read_call(call_text)
    if name in _PHONE:
        raise make_unsupported(f"{name} is for phones")
    if name not in _READERS:
        raise Refused(f"there is no action {name!r}")
    return _READERS[name](BoxCall(name, arguments, thought, display, coordinates))


def _scroll(call: BoxCall) -> list[SimpleAction]:
    placed = {"start_box", "point"} & call.arguments.keys()
    target = call.start() if placed else None
    return [notches(call.text("direction").strip().lower(), SCROLL_NOTCHES, target)]


_PHONE = {"long_press", "open_app", "press_home", "press_back"}
_READERS: dict[str, Callable[[BoxCall], list[SimpleAction]]] = {
    **COMMON_READERS,
    "click": lambda call: [Click(target=call.start())],
    "left_single": lambda call: [Click(target=call.start())],
    "left_double": lambda call: [Click(target=call.start(), count=2)],
    "right_single": lambda call: [Click(target=call.start(), button="right")],
    "drag": lambda call: [Drag(path=(call.start(), call.end()))],
    "select": lambda call: [Drag(path=(call.start(), call.end()))],
    "hotkey": lambda call: [Key(keys=call.keys_pressed())],
    "press": lambda call: [KeyDown(key=key) for key in call.keys_pressed()],
    "keydown": lambda call: [KeyDown(key=key) for key in call.keys_pressed()],
    "release": lambda call: [KeyUp(key=key) for key in call.keys_pressed()],
    "keyup": lambda call: [KeyUp(key=key) for key in call.keys_pressed()],
    "scroll": _scroll,
    "wait": lambda call: waits(WAIT_S),
    "finished": lambda call: [Done(answer=call.arguments.get("content"))],
    "call_user": lambda call: [Infeasible(reason=call.arguments.get("content", call.thought))],
}


_NAMES = {"left": "click", "right": "right_single"}
_DIRECTIONS = {(0, -1): "up", (0, 1): "down", (-1, 0): "left", (1, 0): "right"}


def write(
    thought: str, actions: Sequence[SimpleAction], display: Display, coordinates: Coordinates
) -> str:
    """The answer in which a model would say these actions, targets being points: `parse` gives them
    back. Raises Refused for one that the format cannot say."""
    calls = [_write_call(action, display, coordinates) for action in actions]
    body = "Action: " + "\n".join(calls)
    return f"Thought: {' '.join(thought.split())}\n{body}" if thought else body


def _write_call(action: SimpleAction, display: Display, coordinates: Coordinates) -> str:
    def box(target: Target) -> str:
        x, y = coordinates.point(target, display)
        return f"'({x},{y})'"

    common = write_common_call(action, box)
    if common is not None:
        return common
    match action:
        case Click(target=Target() as at, button="left", count=2, modifiers=()):
            return f"left_double(start_box={box(at)})"
        case Click(target=Target() as at, button=button, count=1, modifiers=()) if button in _NAMES:
            return f"{_NAMES[button]}(start_box={box(at)})"
        case Drag(path=(start, end), button="left", modifiers=()):
            return f"drag(start_box={box(start)}, end_box={box(end)})"
        case Key(keys=keys, repeat=1):
            return f"hotkey(key={quote(' '.join(keys))})"
        case Scroll(target=at, dx=dx, dy=dy):
            # How far cannot be said: a scroll of any length is the 5 notches of the format.
            direction = _DIRECTIONS.get(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))
            if direction is not None:
                place = "" if at is None else f"start_box={box(at)}, "
                return f"scroll({place}direction='{direction}')"
        case Wait():
            return "wait()"
        case Done(answer=answer):
            return "finished()" if answer is None else f"finished(content={quote(answer)})"
        case Infeasible(reason=reason):
            return f"call_user(content={quote(reason)})" if reason else "call_user()"
    raise make_unsupported(f"UI-TARS cannot say {action.type} so")


def render(
    parsed: Parsed | None,
    results: Sequence[ActionResult],
    observation: Observation,
    display: Display,
    coordinates: Coordinates = RELATIVE,
) -> list[Json]:
    """Content parts of the next user message: the screenshot, before it what went wrong. `parsed`
    is None for the first. Raises ValueError without a screenshot."""
    if observation.screenshot is None:
        raise ValueError("UI-TARS needs a screenshot; observe one")
    lines: list[str] = []
    if parsed is not None:
        wrong = parsed.error or next((r for r in results if not r.ok), None)
        if wrong is not None:
            lines.append(f"error: {one_line(wrong.message, 300)}")
    if observation.dialog is not None:
        lines.append(f"dialog: {one_line(observation.dialog, 240)}")
    lines += lines_of_part(observation.screenshot, display, coordinates)
    image = {
        "type": "image_url",
        "image_url": {"url": data_url(fit_to_display(observation.screenshot, display))},
    }
    return [*({"type": "text", "text": line} for line in lines), image]
