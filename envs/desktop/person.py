"""What a person did at the desktop, from viewer events to the actions an agent would have used.

Guarantees: clicks close together are one action with its count, typed characters one text, wheel
notches one scroll; at most MAX_ACTIONS are kept, the first ones.
"""

from __future__ import annotations

from typing import cast

from envs.contract.actions import (
    Action,
    Button,
    Click,
    Clipboard,
    Drag,
    Key,
    Modifier,
    Scroll,
    Target,
    Type,
)
from envs.desktop.input import keysym_named
from envs.desktop.rfb import CutText, Event, Pointer

MAX_ACTIONS = 500
CLICK_PX = 5
DOUBLE_S = 0.5
MAX_PATH = 32
MAX_TEXT = 20_000
MAX_REPEAT = 100
_BUTTONS: dict[int, Button] = {0: "left", 1: "middle", 2: "right"}
_WHEEL = {3: (0, -1), 4: (0, 1), 5: (-1, 0), 6: (1, 0)}
_MODIFIERS = {
    0xFFE1: "shift",
    0xFFE2: "shift",
    0xFFE3: "ctrl",
    0xFFE4: "ctrl",
    0xFFE7: "meta",
    0xFFE8: "meta",
    0xFFE9: "alt",
    0xFFEA: "alt",
    0xFFEB: "meta",
    0xFFEC: "meta",
    0xFE03: "altgr",
}
_NAMES = {
    keysym_named(name): name
    for name in (
        "enter",
        "tab",
        "escape",
        "backspace",
        "delete",
        "insert",
        "home",
        "end",
        "pageup",
        "pagedown",
        "arrowleft",
        "arrowup",
        "arrowright",
        "arrowdown",
        "menu",
        "printscreen",
        "pause",
        "capslock",
        "numlock",
        *(f"f{n}" for n in range(1, 13)),
    )
} | {0xFF8D: "enter", 0xFE20: "tab"}
_LEGACY = {
    1: "iso8859_2",
    2: "iso8859_3",
    3: "iso8859_4",
    6: "koi8_r",
    7: "iso8859_7",
    0xC: "iso8859_8",
    0xD: "tis_620",
}
"""Keysyms from before Unicode: the high byte names a character set (X11 protocol, appendix A)."""


def character_of(keysym: int) -> str | None:
    """The character that a key stands for, None when it types none."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if 0x01000100 <= keysym <= 0x0110FFFF and not 0x0100D800 <= keysym <= 0x0100DFFF:
        return chr(keysym & 0xFFFFFF)
    if 0xFFAA <= keysym <= 0xFFB9:
        return chr(keysym & 0x7F)
    if keysym == 0x20AC:
        return "€"
    if keysym >> 8 in _LEGACY and keysym & 0x80:
        text = bytes([keysym & 0xFF]).decode(_LEGACY[keysym >> 8], "ignore")
        return text or None
    return None


class Person:
    """Feed with events as they happen; `take` what came of them."""

    def __init__(self) -> None:
        self._done: list[Action] = []
        self._modifiers: dict[int, str] = {}
        self._at = Pointer(0, 0, 0)
        self._path: list[tuple[int, int]] = []
        self._clicked_at = 0.0

    def take(self) -> tuple[Action, ...]:
        """The actions since the last call."""
        done, self._done = tuple(self._done), []
        return done

    def let_go(self) -> None:
        """Nothing is held any more."""
        self._modifiers.clear()
        self._path = []
        self._at = Pointer(0, self._at.x, self._at.y)

    def feed(self, event: Event, now: float) -> None:
        """`now`: seconds on any clock that only goes forward."""
        if isinstance(event, Pointer):
            self._follow_pointer(event, now)
        elif isinstance(event, CutText):
            self._add(Clipboard(op="write", text=event.text))
        elif event.keysym in _MODIFIERS:
            if event.down:
                self._modifiers[event.keysym] = _MODIFIERS[event.keysym]
            else:
                self._modifiers.pop(event.keysym, None)
        elif event.down:
            self._take_key(event.keysym)

    def _add(self, action: Action) -> None:
        if len(self._done) < MAX_ACTIONS:
            self._done.append(action)

    @property
    def _held_modifiers(self) -> tuple[str, ...]:
        return tuple(
            name for name in ("ctrl", "alt", "shift", "meta") if name in self._modifiers.values()
        )

    def _take_key(self, keysym: int) -> None:
        character = character_of(keysym)
        held = self._held_modifiers
        last = self._done[-1] if self._done else None
        if character is not None and not set(held) - {"shift"}:
            if isinstance(last, Type) and len(last.text) < MAX_TEXT:
                self._done[-1] = Type(text=last.text + character)
            else:
                self._add(Type(text=character))
            return
        if character is not None:
            name = "space" if character == " " else character
            held = tuple(name for name in held if name != "shift")
        else:
            name = _NAMES.get(keysym, f"0x{keysym:x}")
        keys = (*held, name)
        if isinstance(last, Key) and last.keys == keys and last.repeat < MAX_REPEAT:
            self._done[-1] = Key(keys=keys, repeat=last.repeat + 1)
        else:
            self._add(Key(keys=keys))

    def _follow_pointer(self, event: Pointer, now: float) -> None:
        before, self._at = self._at, event
        place = (event.x, event.y)
        if self._path and place != self._path[-1]:
            self._path.append(place)
        for bit, way in _WHEEL.items():
            if _is_press(before, event, bit):
                self._scroll(event, *way)
        for bit, button in _BUTTONS.items():
            if _is_press(before, event, bit):
                self._path = [place]
            elif _is_press(event, before, bit):
                self._on_release(button, now)

    def _on_release(self, button: Button, now: float) -> None:
        path, self._path = self._path, []
        if not path:
            return
        held = cast(tuple[Modifier, ...], self._held_modifiers)
        far = max(max(abs(x - path[0][0]), abs(y - path[0][1])) for x, y in path)
        if far > CLICK_PX:
            step = -(-len(path) // MAX_PATH)
            points = [*path[:-1:step], path[-1]]
            targets = tuple(Target(x=x, y=y) for x, y in points)
            self._add(Drag(path=targets, button=button, modifiers=held))
            return
        last = self._done[-1] if self._done else None
        again = now - self._clicked_at < DOUBLE_S
        self._clicked_at = now
        if (
            isinstance(last, Click)
            and again
            and last.count < 3
            and last.button == button
            and last.modifiers == held
            and _near(last.target, path[0])
        ):
            self._done[-1] = last.model_copy(update={"count": last.count + 1})
        else:
            target = Target(x=path[0][0], y=path[0][1])
            self._add(Click(target=target, button=button, modifiers=held))

    def _scroll(self, at: Pointer, dx: int, dy: int) -> None:
        last = self._done[-1] if self._done else None
        if isinstance(last, Scroll) and _near(last.target, (at.x, at.y)):
            change = {"dx": last.dx + dx, "dy": last.dy + dy}
            self._done[-1] = last.model_copy(update=change)
        else:
            self._add(Scroll(target=Target(x=at.x, y=at.y), dx=dx, dy=dy, unit="notch"))


def _is_press(before: Pointer, after: Pointer, bit: int) -> bool:
    return bool(after.buttons >> bit & 1) and not before.buttons >> bit & 1


def _near(target: Target | None, place: tuple[int, int]) -> bool:
    if target is None or target.x is None or target.y is None:
        return False
    return max(abs(target.x - place[0]), abs(target.y - place[1])) <= CLICK_PX
