"""OSWorld's action spaces: `computer_13` objects, pyautogui scripts, and WAIT, FAIL, DONE.

`parse` takes what an agent of OSWorld gives: an action (object or text), a list of them, or a
model's whole answer, in which the code blocks are the actions and the rest is the thought.

    MOVE_TO, CLICK, MOUSE_DOWN, MOUSE_UP, RIGHT_CLICK, DOUBLE_CLICK, DRAG_TO, SCROLL, TYPING,
    PRESS, KEY_DOWN, KEY_UP, HOTKEY          as the pyautogui calls that OSWorld makes of them
    pyautogui scripts                        read by `pyautogui_script`, never run
    WAIT                                     2 s, OSWorld's pause after a step
    DONE, FAIL                               done, infeasible

Points are pixels of the picture shown. SCROLL's dy is positive upwards, as pyautogui's.

The format cannot say: refs and selectors, tools, an answer to a question (OSWorld has no such
tasks), typing into a field at once. Ours cannot say what a script computes: variables, loops,
positions asked from the screen; scripts of that kind are refused as unsupported. Lost are the times
that movements and keys take, and the random easing of MOVE_TO. OSWorld's agents have no channel for
errors: `render` adds the field `error`, which they may ignore.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envs.contract.actions import ActionResult, Done, Infeasible, SimpleAction
from envs.contract.observations import Observation
from envs.dialects.dialect import (
    MAX_CHARS,
    Display,
    Json,
    Parsed,
    Refused,
    Request,
    make_refusal,
    read_all,
    waits,
)
from envs.dialects.pictures import fit_to_display
from envs.dialects.pyautogui_calls import Pointer
from envs.dialects.pyautogui_script import read_script

WAIT_S = 2.0
MAX_PIECES = 100
_WORDS = frozenset({"WAIT", "DONE", "FAIL"})
_FENCE = re.compile(r"```(?:(?:python|json|py|code)\b)?[ \t]{0,8}\n?(.*?)```", re.DOTALL | re.I)
_POINT = {"x": "x", "y": "y"}
_CALLS: dict[str, tuple[str, Mapping[str, str]]] = {
    "MOVE_TO": ("moveTo", _POINT),
    "CLICK": ("click", {**_POINT, "button": "button", "num_clicks": "clicks"}),
    "MOUSE_DOWN": ("mouseDown", {"button": "button"}),
    "MOUSE_UP": ("mouseUp", {"button": "button"}),
    "RIGHT_CLICK": ("rightClick", _POINT),
    "DOUBLE_CLICK": ("doubleClick", _POINT),
    "DRAG_TO": ("dragTo", _POINT),
    "TYPING": ("write", {"text": "message"}),
    "PRESS": ("press", {"key": "keys"}),
    "KEY_DOWN": ("keyDown", {"key": "key"}),
    "KEY_UP": ("keyUp", {"key": "key"}),
}
"""Each action's function of pyautogui and how its parameters are called there. SCROLL is two
functions, HOTKEY takes its keys one by one."""
_NEEDED = {"MOVE_TO": {"x", "y"}, "DRAG_TO": {"x", "y"}}


def parse(output: object, display: Display) -> Parsed:
    """Reads an action, a list of actions, or a model's answer."""
    thought, pieces = "", list(output) if isinstance(output, list | tuple) else [output]
    if isinstance(output, str):
        if len(output) > MAX_CHARS:
            return make_refusal(f"expected a text of at most {MAX_CHARS} characters")
        thought, pieces = _pieces(output)
    if len(pieces) > MAX_PIECES:
        return make_refusal(f"{len(pieces)} pieces of code; at most {MAX_PIECES} are taken")

    def read() -> Iterator[SimpleAction]:
        pointer = Pointer(display)
        for piece in pieces:
            yield from _piece(piece, pointer)

    return read_all(thought, [Request(read)])


def _pieces(text: str) -> tuple[str, list[object]]:
    """Thought and code of an answer; without code blocks all of it is code."""
    blocks = [block.strip() for block in _FENCE.findall(text)]
    if not blocks:
        return "", [text.strip()]
    return _FENCE.sub("", text).strip(), [block for block in blocks if block]


def _piece(piece: object, pointer: Pointer) -> Iterator[SimpleAction]:
    if isinstance(piece, dict):
        yield from _object(piece, pointer)
        return
    if not isinstance(piece, str):
        raise Refused("an action is an object or a text")
    if piece.lstrip().startswith(("{", "[")):
        data = _json(piece)
        for item in data if isinstance(data, list) else [data]:
            if not isinstance(item, dict):
                raise Refused("an action of computer_13 is an object")
            yield from _object(item, pointer)
        return
    code, _, last = piece.strip().rpartition("\n")
    if last.strip() not in _WORDS:
        yield from read_script(piece.strip(), pointer)
        return
    if code.strip():
        yield from read_script(code, pointer)
    yield from _word(last.strip())


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"not valid JSON: {str(error)[:80]}") from error


def _word(word: str) -> list[SimpleAction]:
    if word == "WAIT":
        return waits(WAIT_S)
    return [Done() if word == "DONE" else Infeasible()]


def _object(action: Json, pointer: Pointer) -> list[SimpleAction]:
    """One of computer_13; its parameters stand in `parameters` or beside the type."""
    kind = action.get("action_type")
    if isinstance(kind, str) and kind in _WORDS:
        return _word(kind)
    parameters = action.get("parameters", {k: v for k, v in action.items() if k != "action_type"})
    if not isinstance(kind, str) or not isinstance(parameters, dict):
        raise Refused("an action of computer_13 has an action_type and parameters")
    if kind == "SCROLL":
        return _scroll(parameters, pointer)
    if kind == "HOTKEY":
        return pointer.call("hotkey", [parameters.get("keys")], {})
    if kind not in _CALLS:
        raise Refused(f"there is no action_type {kind[:40]!r}")
    name, names = _CALLS[kind]
    missing = _NEEDED.get(kind, set()) - parameters.keys()
    if missing or ("x" in parameters) != ("y" in parameters):
        raise Refused(f"{kind} needs x and y")
    unknown = parameters.keys() - names.keys()
    if unknown:
        raise Refused(f"{kind} takes no {min(map(str, unknown))[:40]!r}")
    return pointer.call(name, [], {names[key]: value for key, value in parameters.items()})


def _scroll(parameters: Json, pointer: Pointer) -> list[SimpleAction]:
    if not parameters or not parameters.keys() <= {"dx", "dy"}:
        raise Refused("SCROLL takes dx and dy")
    scrolls: list[SimpleAction] = []
    for key, function in (("dx", "hscroll"), ("dy", "scroll")):
        if parameters.get(key) not in (None, 0):
            scrolls += pointer.call(function, [parameters[key]], {})
    return scrolls or pointer.call("scroll", [0], {})


def render(
    parsed: Parsed | None,
    results: Sequence[ActionResult],
    observation: Observation,
    display: Display,
    instruction: str,
) -> Json:
    """The observation as OSWorld's agents get it: the screenshot's bytes, the tree in our format,
    no terminal; and what went wrong. `parsed` is None for the first."""
    screenshot = observation.screenshot
    wrong: ActionResult | None = None
    if parsed is not None:
        wrong = parsed.error or next((result for result in results if not result.ok), None)
    return {
        "screenshot": screenshot and base64.b64decode(fit_to_display(screenshot, display).data),
        "accessibility_tree": None if observation.tree is None else observation.tree.text,
        "terminal": None,
        "instruction": instruction,
        "error": None if wrong is None else wrong.message,
    }
