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

Coordinates are relative or absolute. `RELATIVE` (UI-TARS 1.0 on Qwen2-VL, Doubao's): 0 to 1000 in
both directions. `ABSOLUTE` (UI-TARS 1.5 on Qwen2.5-VL): pixels of the picture as the model's
preprocessing resizes it, `smart_resize`; pass the limits that the serving engine uses.

The format cannot say: keys held while clicking, other buttons, how far to scroll, anything but
input. It has no place for errors: they stand as text before the next screenshot. Ours cannot say
what the phone versions do (`long_press`, `open_app`, `press_home`, `press_back`): unsupported. The
system prompt is the model's own and not part of this project.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from envs.contract.actions import (
    ActionError,
    ActionResult,
    Click,
    Done,
    Drag,
    Infeasible,
    Key,
    KeyDown,
    KeyUp,
    Move,
    SimpleAction,
    Target,
    Type,
)
from envs.contract.keys import canonical_key, chord
from envs.contract.observations import Observation, one_line
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
MAX_RATIO = 200
"""Of a picture's sides; the model takes no longer ones."""


@dataclass(frozen=True, slots=True)
class Relative:
    """Coordinates from 0 to `factor` in both directions."""

    factor: float = 1000

    def target(self, x: float, y: float, display: Display) -> Target:
        """Raises Refused outside of the picture."""
        if not (0 <= x <= self.factor and 0 <= y <= self.factor):
            raise Refused(
                f"({x:g}, {y:g}) lies outside of 0 to {self.factor:g}", ActionError.BAD_VALUE
            )
        return display.at(x / self.factor, y / self.factor)


@dataclass(frozen=True, slots=True)
class Absolute:
    """Pixels of the resized picture. The limits are areas, as the model's processor has them."""

    min_pixels: int = 100 * 28 * 28
    max_pixels: int = 16_384 * 28 * 28

    def target(self, x: float, y: float, display: Display) -> Target:
        """Raises Refused outside of the picture."""
        resized = smart_resize(*display.picture, self.min_pixels, self.max_pixels)
        return Display(display.width, display.height, resized).target(x, y)


RELATIVE, ABSOLUTE = Relative(), Absolute()
Coordinates = Relative | Absolute


def smart_resize(
    width: int, height: int, min_pixels: int, max_pixels: int, factor: int = 28
) -> tuple[int, int]:
    """Width and height that Qwen2.5-VL's processor gives a picture: multiples of `factor`, the
    area within the limits, the ratio kept as far as that allows. Raises ValueError."""
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ValueError(f"{width} x {height} is too long for the model")
    sides = [max(factor, round(side / factor) * factor) for side in (width, height)]
    area = sides[0] * sides[1]
    if area > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        sides = [math.floor(side / shrink / factor) * factor for side in (width, height)]
    elif area < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        sides = [math.ceil(side * grow / factor) * factor for side in (width, height)]
    return sides[0], sides[1]


_ACTION = re.compile(r"^[ \t]{0,8}Action:", re.MULTILINE)
_NEXT = re.compile(r"\)[ \t]{0,8}\n\s{0,8}(?=[a-z_]{1,20}\()")
_LABEL = re.compile(r"^[ \t]{0,8}(?:Thought|Reflection|Action_Summary):[ \t]{0,8}", re.MULTILINE)
_CALL = re.compile(r"(?P<name>[a-z_]{1,20})\((?P<arguments>.*)\)", re.DOTALL)
_ARGUMENT = re.compile(
    r"\s{0,8}(?P<name>[a-z_]{1,20})\s{0,8}=\s{0,8}(?P<quote>['\"])"
    r"(?P<value>(?:\\.|[^\\])*?)(?P=quote)\s{0,8}(?:,|$)",
    re.DOTALL,
)
_TAG = re.compile(r"<[^<>\d]{1,20}>")
_NUMBERS = re.compile(r"-?\d{1,6}(?:\.\d{1,9})?(?:[\s,]{1,4}-?\d{1,6}(?:\.\d{1,9})?){1,3}")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
MAX_ARGUMENTS = 4


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
            for call in _calls(call_text)
            for action in _read_call(call, thought, display, coordinates)
        ]

    return read_all(thought, [Request(read)])


def _calls(call_text: str) -> list[str]:
    """The single calls. One begins a line after another's closing parenthesis."""
    calls, start = [], 0
    for gap in _NEXT.finditer(call_text):
        calls.append(call_text[start : gap.start() + 1])
        start = gap.end()
    return [*calls, call_text[start:].strip()]


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    arguments: dict[str, str]
    thought: str
    display: Display
    coordinates: Coordinates

    def text(self, *names: str) -> str:
        """The first argument given of these. Raises Refused if none is."""
        for name in names:
            if name in self.arguments:
                return self.arguments[name]
        raise Refused(f"{self.name} needs {names[0]}")

    def target(self, *names: str) -> Target:
        """A point, or the middle of a box."""
        text = self.text(*names)
        bare = _TAG.sub("", text).strip(" \t\n[]()")
        if not _NUMBERS.fullmatch(bare):
            raise Refused(f"{self.name} needs a point or a box, not {one_line(text, 60)!r}")
        numbers = [float(number) for number in re.split(r"[\s,]+", bare)]
        if len(numbers) == 3:
            raise Refused(f"{self.name} needs 2 or 4 numbers, not {one_line(text, 60)!r}")
        x, y = numbers[:2] if len(numbers) == 2 else _middle(numbers)
        return self.coordinates.target(x, y, self.display)

    def start(self) -> Target:
        return self.target("start_box", "point", "start_point")

    def end(self) -> Target:
        return self.target("end_box", "end_point")

    def keys_pressed(self) -> tuple[str, ...]:
        words = self.text("key", "hotkey", "press").split()
        try:
            keys = chord(words[0]) if len(words) == 1 else tuple(map(canonical_key, words))
        except ValueError as error:
            raise Refused(str(error)) from error
        if not keys:
            raise Refused(f"{self.name} needs a key")
        return keys


def _middle(box: list[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _read_call(
    call_text: str, thought: str, display: Display, coordinates: Coordinates
) -> list[SimpleAction]:
    match = _CALL.fullmatch(call_text)
    if match is None:
        raise Refused(f"cannot read the action {one_line(call_text, 80)!r}")
    name = match["name"]
    if name in _PHONE:
        raise make_unsupported(f"{name} is for phones")
    if name not in _READERS:
        raise Refused(f"there is no action {name!r}")
    arguments = _arguments(match["arguments"])
    return _READERS[name](_Call(name, arguments, thought, display, coordinates))


def _arguments(text: str) -> dict[str, str]:
    """name='value' pairs. A quote within a value needs no backslash unless a comma follows it."""
    arguments: dict[str, str] = {}
    at = 0
    while text[at:].strip():
        match = _ARGUMENT.match(text, at)
        if match is None or len(arguments) == MAX_ARGUMENTS:
            raise Refused(f"cannot read the arguments {one_line(text, 80)!r}")
        arguments[match["name"]] = _ESCAPE.sub(
            lambda escape: _UNESCAPED.get(escape[1], escape[1]), match["value"]
        )
        at = match.end()
    return arguments


def _type(call: _Call) -> list[SimpleAction]:
    text = call.text("content")
    return [Type(text=text.rstrip("\n"), submit=text.endswith("\n"))]


def _scroll(call: _Call) -> list[SimpleAction]:
    placed = {"start_box", "point"} & call.arguments.keys()
    target = call.start() if placed else None
    return [notches(call.text("direction").strip().lower(), SCROLL_NOTCHES, target)]


_PHONE = {"long_press", "open_app", "press_home", "press_back"}
_READERS: dict[str, Callable[[_Call], list[SimpleAction]]] = {
    "click": lambda call: [Click(target=call.start())],
    "left_single": lambda call: [Click(target=call.start())],
    "left_double": lambda call: [Click(target=call.start(), count=2)],
    "right_single": lambda call: [Click(target=call.start(), button="right")],
    "hover": lambda call: [Move(target=call.start())],
    "drag": lambda call: [Drag(path=(call.start(), call.end()))],
    "select": lambda call: [Drag(path=(call.start(), call.end()))],
    "hotkey": lambda call: [Key(keys=call.keys_pressed())],
    "press": lambda call: [KeyDown(key=key) for key in call.keys_pressed()],
    "keydown": lambda call: [KeyDown(key=key) for key in call.keys_pressed()],
    "release": lambda call: [KeyUp(key=key) for key in call.keys_pressed()],
    "keyup": lambda call: [KeyUp(key=key) for key in call.keys_pressed()],
    "type": _type,
    "scroll": _scroll,
    "wait": lambda call: waits(WAIT_S),
    "finished": lambda call: [Done(answer=call.arguments.get("content"))],
    "call_user": lambda call: [Infeasible(reason=call.arguments.get("content", call.thought))],
}


def render(
    parsed: Parsed | None,
    results: Sequence[ActionResult],
    observation: Observation,
    display: Display,
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
    image = {
        "type": "image_url",
        "image_url": {"url": data_url(fit_to_display(observation.screenshot, display))},
    }
    return [*({"type": "text", "text": line} for line in lines), image]
