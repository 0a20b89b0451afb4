"""GLM-4.1V's actions on desktops: a few words, then one call in a box, as text.

    The menu is at the top.
    <|begin_of_box|>left_click(start_box='[197,525]', element_info='menu')<|end_of_box|>
    Memory:
    []

The action space is that of the GUI agent's page in the model's repository (zai-org/GLM-V,
examples/gui-agent, for GLM-4.1V-9B-Thinking; GLM-4.5V's is the same):

    left_click, right_click, middle_click, left_double_click, hover
                              at `start_box`
    left_drag                 from `start_box` to `end_box`
    key                       a chord, `keys` parted by +
    type                      `content`; a line break at the end presses Enter
    scroll                    `step` notches, 5 where it says none, up or down at `start_box`
    WAIT                      5 s
    DONE, FAIL                done, infeasible
    zoom, crop, mark, DONE(content=...)
                              ours, in no published version: pictures of parts, crosses on the next
                              picture, and an answer to a question

`element_info` is allowed and not read. Points are thousandths of the picture, [x,y]; of a box of
four numbers the middle is meant. Thinking (`<think>`), `<answer>` and what follows "Memory:" are no
part of the action; an answer without a box is read from its first line that begins with a call.
The format cannot say: keys held while clicking, sideways scrolls, more than 99 notches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from envs.contract.actions import (
    Click,
    Done,
    Drag,
    Infeasible,
    Key,
    Scroll,
    SimpleAction,
    Target,
    Wait,
)
from envs.dialects.box_calls import (
    COMMON_READERS,
    BoxCall,
    quote,
    read_call,
    split_calls,
    write_common_call,
)
from envs.dialects.coordinates import RELATIVE, Coordinates
from envs.dialects.dialect import (
    MAX_CHARS,
    Display,
    Parsed,
    Refused,
    Request,
    make_refusal,
    make_unsupported,
    notches,
    read_all,
    waits,
)

BEGIN, END = "<|begin_of_box|>", "<|end_of_box|>"
SCROLL_NOTCHES = 5
MAX_NOTCHES = 99
WAIT_S = 5.0
_TAGS = re.compile(r"</?(?:think|answer)>")
_MEMORY = re.compile(r"^[ \t]{0,8}Memory:", re.MULTILINE)


def parse(output: object, display: Display, coordinates: Coordinates = RELATIVE) -> Parsed:
    """Reads an answer's text."""
    if not isinstance(output, str) or len(output) > MAX_CHARS:
        return make_refusal(f"expected a text of at most {MAX_CHARS} characters")
    words, calls = split_answer(output)
    if calls is None:
        return make_refusal("the answer has no action in a box", output[:2000])
    thought = " ".join(_TAGS.sub(" ", words).split())

    def read() -> list[SimpleAction]:
        return [
            action
            for call in split_calls(calls)
            for action in _read_call(call, thought, display, coordinates)
        ]

    return read_all(thought, [Request(read)])


def split_answer(text: str) -> tuple[str, str | None]:
    """The words before the action, and the action without its box; None where there is none. What
    it thinks, also where that was cut off, is no action."""
    thinking, _, spoken = text.rpartition("</think>")
    spoken = spoken.partition("<think>")[0]
    before, box, rest = spoken.rpartition(BEGIN)
    if box:
        return f"{thinking}\n{before}", rest.partition(END)[0].strip()
    visible = _TAGS.sub("", spoken)
    memory = _MEMORY.search(visible)
    visible = visible if memory is None else visible[: memory.start()]
    call = _FIRST_CALL.search(visible)
    if call is None:
        return text, None
    return visible[: call.start()], visible[call.start() :].strip()


def _read_call(
    text: str, thought: str, display: Display, coordinates: Coordinates
) -> list[SimpleAction]:
    name, arguments = read_call(text)
    if name not in _READERS:
        raise Refused(f"there is no action {name!r}")
    allowed, read = _READERS[name]
    unknown = sorted(arguments.keys() - allowed)
    if unknown:
        raise Refused(f"{name} has no argument {unknown[0]!r}")
    return read(BoxCall(name, arguments, thought, display, coordinates))


def _scroll(call: BoxCall) -> list[SimpleAction]:
    direction = call.text("direction").strip().lower()
    if direction not in ("up", "down"):
        raise Refused(f"cannot scroll {direction[:40]!r}; up, down")
    step = call.arguments.get("step", str(SCROLL_NOTCHES)).strip()
    if not re.fullmatch(r"[0-9]{1,2}", step) or int(step) < 1:
        raise Refused(f"step is a whole number from 1 to {MAX_NOTCHES}, not {step[:20]!r}")
    return [notches(direction, int(step), call.start() if "start_box" in call.arguments else None)]


_AT = frozenset({"start_box", "element_info"})
_BETWEEN = _AT | {"end_box"}
_Reader = tuple[frozenset[str], Callable[[BoxCall], list[SimpleAction]]]
_READERS: dict[str, _Reader] = {
    "left_click": (_AT, lambda call: [Click(target=call.start())]),
    "right_click": (_AT, lambda call: [Click(target=call.start(), button="right")]),
    "middle_click": (_AT, lambda call: [Click(target=call.start(), button="middle")]),
    "left_double_click": (_AT, lambda call: [Click(target=call.start(), count=2)]),
    "hover": (_AT, COMMON_READERS["hover"]),
    "left_drag": (_BETWEEN, lambda call: [Drag(path=(call.start(), call.end()))]),
    # The published prompt itself writes key(key='ctrl+c') once.
    "key": (frozenset({"keys", "key"}), lambda call: [Key(keys=call.keys_pressed())]),
    "type": (frozenset({"content"}), COMMON_READERS["type"]),
    "scroll": (_AT | {"direction", "step"}, _scroll),
    "zoom": (_BETWEEN, COMMON_READERS["zoom"]),
    "crop": (_BETWEEN, COMMON_READERS["crop"]),
    "mark": (_BETWEEN, COMMON_READERS["mark"]),
    "WAIT": (frozenset(), lambda call: waits(WAIT_S)),
    "DONE": (frozenset({"content"}), lambda call: [Done(answer=call.arguments.get("content"))]),
    "FAIL": (frozenset(), lambda call: [Infeasible(reason=call.thought)]),
}
"""By name: the arguments that it may have, and what it means."""
_FIRST_CALL = re.compile(rf"^[ \t]{{0,8}}(?:{'|'.join(_READERS)})\(", re.MULTILINE)


def write(
    thought: str, actions: Sequence[SimpleAction], display: Display, coordinates: Coordinates
) -> str:
    """The answer in which a model would say these actions, targets being points: `parse` gives them
    back. Raises Refused for one that the format cannot say."""
    calls = "\n".join(_write_call(action, display, coordinates) for action in actions)
    if BEGIN in calls or END in calls or "think>" in calls:
        raise Refused("a text that holds the marks of an answer cannot be written into one")
    words = " ".join(thought.split())
    reasons = [action.reason for action in actions if isinstance(action, Infeasible)]
    if reasons and not words:
        words = " ".join(reasons[0].split())
    return f"{words}\n{BEGIN}{calls}{END}" if words else f"{BEGIN}{calls}{END}"


_CLICKS = {
    ("left", 1): "left_click",
    ("right", 1): "right_click",
    ("middle", 1): "middle_click",
    ("left", 2): "left_double_click",
}


def _write_call(action: SimpleAction, display: Display, coordinates: Coordinates) -> str:
    def box(target: Target) -> str:
        x, y = coordinates.point(target, display)
        return f"'[{x},{y}]'"

    common = write_common_call(action, box)
    if common is not None:
        return common
    match action:
        case Click(target=Target() as at, button=button, count=count, modifiers=()) if (
            button,
            count,
        ) in _CLICKS:
            return f"{_CLICKS[button, count]}(start_box={box(at)})"
        case Drag(path=(start, end), button="left", modifiers=()):
            return f"left_drag(start_box={box(start)}, end_box={box(end)})"
        case Key(keys=keys, repeat=1) if "+" not in keys:
            return f"key(keys={quote('+'.join(keys))})"
        case Scroll(target=at, dx=0, dy=dy, unit=unit) if dy:
            # Of a length in pixels only the direction can be told.
            step = min(max(round(abs(dy)), 1), MAX_NOTCHES) if unit == "notch" else SCROLL_NOTCHES
            place = "" if at is None else f"start_box={box(at)}, "
            return f"scroll({place}direction='{'down' if dy > 0 else 'up'}', step={step})"
        case Wait():
            return "WAIT()"
        case Done(answer=answer):
            return "DONE()" if answer is None else f"DONE(content={quote(answer)})"
        case Infeasible():
            return "FAIL()"
    raise make_unsupported(f"GLM cannot say {action.type} so")
