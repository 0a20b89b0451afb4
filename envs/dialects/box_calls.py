"""The syntax that UI-TARS and GLM share: calls as text whose points are boxes.

    click(start_box='(197,525)')      scroll(start_box='[197,525]', direction='down', step=5)

Numbers of a box stand in parentheses, brackets, `<|box_start|>`, `<point>` or `<bbox>`; two for a
point, four for a box, whose middle is meant. Arguments are quoted texts with backslash escapes,
whole numbers or lists of numbers. Nothing else is read, and nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from envs.contract.actions import Mark, Move, SimpleAction, Target, Type, Zoom
from envs.contract.keys import canonical_key, chord
from envs.contract.observations import one_line
from envs.dialects.coordinates import Coordinates
from envs.dialects.dialect import Display, Refused

_NEXT = re.compile(r"\)[ \t]{0,8}\n\s{0,8}(?=[A-Za-z_]{1,20}\()")
_CALL = re.compile(r"(?P<name>[A-Za-z_]{1,20})\((?P<arguments>.*)\)", re.DOTALL)
_ARGUMENT = re.compile(
    r"\s{0,8}(?P<name>[a-z_]{1,20})\s{0,8}=\s{0,8}"
    r"(?:(?P<quote>['\"])(?P<value>(?:\\.|[^\\])*?)(?P=quote)"
    r"|(?P<number>-?\d{1,6}|\[[-\d., \t]{0,60}\]))\s{0,8}(?:,|$)",
    re.DOTALL,
)
_TAG = re.compile(r"<[^<>\d]{1,20}>")
_NUMBERS = re.compile(r"-?\d{1,6}(?:\.\d{1,9})?(?:[\s,]{1,4}-?\d{1,6}(?:\.\d{1,9})?){1,3}")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"})
MAX_ARGUMENTS = 4


@dataclass(frozen=True, slots=True)
class BoxCall:
    """A call as read, and the picture that its points are of."""

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
        numbers = self._numbers(*names)
        x, y = numbers[:2] if len(numbers) == 2 else _middle(numbers)
        return self.coordinates.target(x, y, self.display)

    def _numbers(self, *names: str) -> list[float]:
        text = self.text(*names)
        bare = _TAG.sub("", text).strip(" \t\n[]()")
        if not _NUMBERS.fullmatch(bare):
            raise Refused(f"{self.name} needs a point or a box, not {one_line(text, 60)!r}")
        numbers = [float(number) for number in re.split(r"[\s,]+", bare)]
        if len(numbers) == 3:
            raise Refused(f"{self.name} needs 2 or 4 numbers, not {one_line(text, 60)!r}")
        return numbers

    def start(self) -> Target:
        """Where it begins, or happens."""
        return self.target("start_box", "point", "start_point")

    def end(self) -> Target:
        """Where it ends."""
        return self.target("end_box", "end_point")

    @property
    def has_end(self) -> bool:
        """Whether it says where it ends."""
        return "end_box" in self.arguments or "end_point" in self.arguments

    def corners(self) -> tuple[Target, Target]:
        """Of a box, or of what lies between two points."""
        if self.has_end:
            return self.start(), self.end()
        numbers = self._numbers("start_box", "point", "start_point")
        if len(numbers) != 4:
            raise Refused(f"{self.name} needs a box of 4 numbers, or start_box and end_box")
        left, top, right, bottom = numbers
        return (
            self.coordinates.target(left, top, self.display),
            self.coordinates.target(right, bottom, self.display),
        )

    def keys_pressed(self) -> tuple[str, ...]:
        """Keys of a chord, parted by blanks or +."""
        text = self.text("key", "keys", "hotkey", "press")
        words = re.sub(r"(?<=\S)\s{1,4}\+\s{1,4}(?=\S)", "+", text).split()
        try:
            keys = chord(words[0]) if len(words) == 1 else tuple(map(canonical_key, words))
        except ValueError as error:
            raise Refused(str(error)) from error
        if not keys:
            raise Refused(f"{self.name} needs a key")
        return keys


def _type(call: BoxCall) -> list[SimpleAction]:
    text = call.text("content")
    return [Type(text=text.rstrip("\n"), submit=text.endswith("\n"))]


def _mark(call: BoxCall) -> list[SimpleAction]:
    if call.has_end:
        return [Mark(points=(call.start(), call.end()), line=True)]
    return [Mark(points=(call.start(),))]


COMMON_READERS: Mapping[str, Callable[[BoxCall], list[SimpleAction]]] = {
    "hover": lambda call: [Move(target=call.start())],
    "type": _type,
    "zoom": lambda call: [Zoom(corners=call.corners())],
    "crop": lambda call: [Zoom(corners=call.corners(), enlarge=False)],
    "mark": _mark,
}
"""Of the calls that both formats have under the same name."""


def write_common_call(action: SimpleAction, box: Callable[[Target], str]) -> str | None:
    """The call of COMMON_READERS for an action, points written by `box`; None: there is none."""
    match action:
        case Move(target=at):
            return f"hover(start_box={box(at)})"
        case Type(text=text, target=None, clear=False, submit=submit) if not text.endswith("\n"):
            return f"type(content={quote(text + chr(10) * submit)})"
        case Zoom(corners=(start, end), enlarge=enlarge):
            verb = "zoom" if enlarge else "crop"
            return f"{verb}(start_box={box(start)}, end_box={box(end)})"
        case Mark(points=(at,), line=False):
            return f"mark(start_box={box(at)})"
        case Mark(points=(start, end), line=True):
            return f"mark(start_box={box(start)}, end_box={box(end)})"
    return None


def split_calls(text: str) -> list[str]:
    """The single calls. One begins a line after another's closing parenthesis."""
    calls, start = [], 0
    for gap in _NEXT.finditer(text):
        calls.append(text[start : gap.start() + 1])
        start = gap.end()
    return [*calls, text[start:].strip()]


def read_call(text: str) -> tuple[str, dict[str, str]]:
    """Name and arguments. A quote within a value needs no backslash unless a comma follows it.
    Raises Refused."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise Refused(f"cannot read the action {one_line(text, 80)!r}")
    return match["name"], _arguments(match["arguments"])


def _arguments(text: str) -> dict[str, str]:
    arguments: dict[str, str] = {}
    at = 0
    while text[at:].strip():
        match = _ARGUMENT.match(text, at)
        if match is None or len(arguments) == MAX_ARGUMENTS:
            raise Refused(f"cannot read the arguments {one_line(text, 80)!r}")
        quoted = match["value"]
        arguments[match["name"]] = (
            match["number"]
            if quoted is None
            else _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), quoted)
        )
        at = match.end()
    return arguments


def quote(text: str) -> str:
    """A text as an argument."""
    return f"'{text.translate(_ESCAPES)}'"


def _middle(box: list[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
