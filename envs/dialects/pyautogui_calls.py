"""Calls of pyautogui, by name and arguments, as our actions.

Arguments are read as pyautogui 0.9.54 binds them. Where a call only makes sense from where the
pointer is (`dragTo`, `moveRel`), the pointer is followed through the calls of one script. Times
(`duration`, `interval`, `tween`) are left out: our input takes as long as the program needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envs.contract.actions import (
    Button,
    Click,
    Clipboard,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Scroll,
    SimpleAction,
    Target,
    Type,
)
from envs.contract.keys import canonical_key
from envs.dialects.dialect import Display, Refused, make_unsupported, waits

_BUTTONS: dict[object, Button] = {
    "left": "left",
    "primary": "left",
    "middle": "middle",
    "right": "right",
    "secondary": "right",
    1: "left",
    2: "middle",
    3: "right",
}
_TIMES = ("duration", "interval", "tween", "logScreenshot", "_pause", "pause")
_CLICKS = ("x", "y", "interval", "button", "duration")
_SIGNATURES: dict[str, tuple[str, ...]] = {
    "click": ("x", "y", "clicks", "interval", "button", "duration"),
    **dict.fromkeys(("leftClick", "rightClick", "middleClick"), ("x", "y", "interval", "duration")),
    **dict.fromkeys(("doubleClick", "tripleClick"), _CLICKS),
    **dict.fromkeys(("moveTo", "moveRel", "move"), ("x", "y", "duration", "tween")),
    **dict.fromkeys(
        ("dragTo", "dragRel", "drag"),
        ("x", "y", "duration", "tween", "button", "logScreenshot", "_pause", "mouseDownUp"),
    ),
    **dict.fromkeys(("mouseDown", "mouseUp"), ("x", "y", "button", "duration")),
    **dict.fromkeys(("scroll", "vscroll", "hscroll"), ("clicks", "x", "y")),
    **dict.fromkeys(("write", "typewrite"), ("message", "interval")),
    "press": ("keys", "presses", "interval"),
    **dict.fromkeys(("keyDown", "keyUp"), ("key",)),
    "sleep": ("seconds",),
    "copy": ("text",),
}
_RELATIVE_NAMES = {"xOffset": "x", "yOffset": "y"}
_FIXED: dict[str, tuple[Button | None, int]] = {
    "leftClick": ("left", 1),
    "rightClick": ("right", 1),
    "middleClick": ("middle", 1),
    "doubleClick": (None, 2),
    "tripleClick": (None, 3),
}
MAX_PRESSES = 100

Point = tuple[float, float]


class Pointer:
    """Translates calls in order. Points are those of the picture shown."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._at: Point | None = None

    def call(
        self, name: str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> list[SimpleAction]:
        """Raises Refused."""
        if name in ("hotkey", "shortcut"):
            return [Key(keys=_keys(args[0] if len(args) == 1 else list(args)))]
        if name not in _SIGNATURES:
            raise make_unsupported(f"{name[:40]} is not available here")
        arguments = _bound(name, args, kwargs)
        return self._READERS[name](self, name, arguments)

    def _point(self, arguments: Mapping[str, Any]) -> Point | None:
        """Where a call goes to: (x, y), a pair as x, one of both with the other as it is."""
        x, y = arguments.get("x"), arguments.get("y")
        if isinstance(x, list | tuple) and len(x) == 2 and y is None:
            x, y = x
        if x is None and y is None:
            return None
        if x is None or y is None:
            if self._at is None:
                raise make_unsupported("one coordinate needs a pointer whose place is known")
            x, y = (self._at[0] if x is None else x), (self._at[1] if y is None else y)
        return _number(x, "x"), _number(y, "y")

    def _go(self, point: Point | None) -> Target | None:
        if point is None:
            return None
        target = self._display.target(*point)
        self._at = point
        return target

    def _click(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        fixed, count = _FIXED.get(name, (None, arguments.get("clicks", 1)))
        button = fixed or _button(arguments)
        target = self._go(self._point(arguments))
        count = _whole(count, "clicks")
        if count > 3:
            return [Click(target=target, button=button)] * min(count, MAX_PRESSES + 1)
        return [Click(target=target, button=button, count=count)]

    def _relative(self, arguments: Mapping[str, Any]) -> Point:
        if self._at is None:
            raise make_unsupported(
                "a relative move needs a pointer whose place is known; use moveTo"
            )
        dx, dy = arguments.get("x", 0), arguments.get("y", 0)
        if isinstance(dx, list | tuple) and len(dx) == 2:
            dx, dy = dx
        return self._at[0] + _number(dx or 0, "x"), self._at[1] + _number(dy or 0, "y")

    def _move(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        point = self._point(arguments) if name == "moveTo" else self._relative(arguments)
        target = self._go(point)
        return [] if target is None else [Move(target=target)]

    def _drag(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        start = self._at
        end = self._point(arguments) if name == "dragTo" else self._relative(arguments)
        if end is None:
            raise Refused(f"{name} needs x and y")
        button, target = _button(arguments), self._go(end)
        assert target is not None
        if arguments.get("mouseDownUp", True) is not True:
            return [Move(target=target)]
        if start is None:
            return [MouseDown(button=button), Move(target=target), MouseUp(button=button)]
        return [Drag(path=(self._display.target(*start), target), button=button)]

    def _button_down(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        kind = MouseDown if name == "mouseDown" else MouseUp
        return [kind(target=self._go(self._point(arguments)), button=_button(arguments))]

    def _scroll(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        """pyautogui's wheel turns up for positive numbers, and right."""
        clicks = _number(arguments.get("clicks"), "clicks")
        target = self._go(self._point(arguments))
        if name == "hscroll":
            return [Scroll(target=target, dx=clicks, unit="notch")]
        return [Scroll(target=target, dy=-clicks, unit="notch")]

    def _write(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        message = arguments.get("message")
        if isinstance(message, str):
            return [Type(text=message)]
        return [Key(keys=(key,)) for key in _keys(message)]

    def _press(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        keys, presses = _keys(arguments.get("keys")), _whole(arguments.get("presses", 1), "presses")
        if presses * len(keys) > MAX_PRESSES:
            raise Refused(f"{presses * len(keys)} presses; at most {MAX_PRESSES} are taken")
        if len(keys) == 1:
            return [Key(keys=keys, repeat=presses)] if presses else []
        return [Key(keys=(key,)) for _ in range(presses) for key in keys]

    def _key(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        (key,) = _keys([arguments.get("key")])
        return [KeyDown(key=key) if name == "keyDown" else KeyUp(key=key)]

    def _sleep(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        return waits(_number(arguments.get("seconds"), "seconds"))

    def _copy(self, name: str, arguments: Mapping[str, Any]) -> list[SimpleAction]:
        text = arguments.get("text")
        if not isinstance(text, str):
            raise Refused("copy needs text")
        return [Clipboard(op="write", text=text)]

    _READERS: Mapping[str, Callable[[Pointer, str, Mapping[str, Any]], list[SimpleAction]]] = {
        "click": _click,
        "leftClick": _click,
        "rightClick": _click,
        "middleClick": _click,
        "doubleClick": _click,
        "tripleClick": _click,
        "moveTo": _move,
        "moveRel": _move,
        "move": _move,
        "dragTo": _drag,
        "dragRel": _drag,
        "drag": _drag,
        "mouseDown": _button_down,
        "mouseUp": _button_down,
        "scroll": _scroll,
        "vscroll": _scroll,
        "hscroll": _scroll,
        "write": _write,
        "typewrite": _write,
        "press": _press,
        "keyDown": _key,
        "keyUp": _key,
        "sleep": _sleep,
        "copy": _copy,
    }


def _bound(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
    names = _SIGNATURES[name]
    if len(args) > len(names):
        raise Refused(f"{name} takes at most {len(names)} arguments")
    arguments: dict[str, object] = dict(zip(names, args, strict=False))
    for key, value in kwargs.items():
        key = _RELATIVE_NAMES.get(key, key)
        if key in arguments or key not in (*names, *_TIMES):
            raise Refused(
                f"{name} takes no {key[:40]!r}" if key not in arguments else f"{key} twice"
            )
        arguments[key] = value
    return arguments


def _button(arguments: Mapping[str, Any]) -> Button:
    button = arguments.get("button", "left")
    if not isinstance(button, str | int) or button not in _BUTTONS:
        raise Refused(f"there is no button {str(button)[:40]!r}")
    return _BUTTONS[button]


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{what} has to be a number, not {str(value)[:40]!r}")
    if not -100_000 <= value <= 100_000:
        raise Refused(f"{what} is out of range")
    return float(value)


def _whole(value: object, what: str) -> int:
    number = _number(value, what)
    if number != int(number) or number < 0:
        raise Refused(f"{what} has to be a whole number")
    return int(number)


def _keys(value: object) -> tuple[str, ...]:
    """Keys by name; a list of them, or one."""
    names = list(value) if isinstance(value, list | tuple) else [value]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise Refused("keys have to be names of keys")
    return tuple(canonical_key(str(name)) for name in names)
