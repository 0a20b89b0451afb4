"""Pointer and keyboard, in process: pyautogui for the pointer, XTEST for keys of any character.

Guarantees: whatever is held is known and can be released, also after an error; text may be any
Unicode: characters that the layout lacks are put on unused key codes first, all of a text at once,
so that programs read one keyboard change and not one a character. Works in the X thread.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import xcffib.xtest

from envs.contract.keys import canonical_key
from envs.desktop.x11 import X11

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 4, 5, 6, 7
_KEY_PRESS, _KEY_RELEASE, _BUTTON_PRESS, _BUTTON_RELEASE = 2, 3, 4, 5
_NAMED_KEYSYMS = {
    "enter": 0xFF0D,
    "tab": 0xFF09,
    "escape": 0xFF1B,
    "backspace": 0xFF08,
    "delete": 0xFFFF,
    "insert": 0xFF63,
    "home": 0xFF50,
    "end": 0xFF57,
    "pageup": 0xFF55,
    "pagedown": 0xFF56,
    "arrowleft": 0xFF51,
    "arrowup": 0xFF52,
    "arrowright": 0xFF53,
    "arrowdown": 0xFF54,
    "space": 0x20,
    "ctrl": 0xFFE3,
    "shift": 0xFFE1,
    "alt": 0xFFE9,
    "meta": 0xFFEB,
    "menu": 0xFF67,
    "printscreen": 0xFF61,
    "pause": 0xFF13,
    "capslock": 0xFFE5,
    "numlock": 0xFF7F,
    **{f"f{n}": 0xFFBD + n for n in range(1, 13)},
}
_NO_SYMBOL = 0


class UnknownKey(ValueError):
    """There is no key of this name."""


def keysym_of(character: str) -> int:
    """X11 protocol, appendix A: Latin-1 as it is, other characters from 0x01000100 on."""
    code = ord(character)
    if character == "\n":
        return _NAMED_KEYSYMS["enter"]
    if character == "\t":
        return _NAMED_KEYSYMS["tab"]
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x01000000 | code


def keysym_named(name: str) -> int:
    """Raises UnknownKey."""
    plain = canonical_key(name)
    if plain in _NAMED_KEYSYMS:
        return _NAMED_KEYSYMS[plain]
    if len(plain) == 1 and plain.isprintable():
        return keysym_of(plain)
    raise UnknownKey(f"there is no key {name[:40]!r}")


class Input:
    """`display` must be in os.environ before pyautogui is imported, so that happens here."""

    def __init__(self, x11: X11, display: str) -> None:
        os.environ["DISPLAY"] = display
        import pyautogui
        from Xlib.display import Display

        # It connects when it is imported; a desktop that was started again has another server.
        pyautogui.platformModule._display = Display(display)
        pyautogui.PAUSE = 0
        pyautogui.FAILSAFE = False
        self._mouse: Any = pyautogui
        self._x11 = x11
        self._test = x11.connection(xcffib.xtest.key)
        self.held_keys: list[int] = []
        self.held_buttons: list[int] = []
        self._codes: dict[int, tuple[int, bool]] = {}
        self._mapped: dict[int, int] = {}
        """Characters that we put on key codes, by keysym."""
        self._spare: list[int] = []
        self._shift = 0
        self.read_layout()

    def read_layout(self) -> None:
        """Typing goes by key codes: where the characters lie is read anew after a change."""
        self._codes.clear()
        self._mapped.clear()
        self._spare.clear()
        setup = self._x11.connection.get_setup()
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        reply = self._x11.connection.core.GetKeyboardMapping(first, count).reply()
        width = reply.keysyms_per_keycode
        for index in range(count):
            symbols = reply.keysyms[index * width : (index + 1) * width]
            if not any(symbols):
                self._spare.append(first + index)
            for level, symbol in enumerate(symbols[:2]):
                if symbol:
                    self._codes.setdefault(symbol, (first + index, level == 1))
        self._width = width
        self._shift = self._codes[_NAMED_KEYSYMS["shift"]][0]

    def position(self) -> tuple[int, int]:
        """Where the pointer is, in pixels."""
        x, y = self._mouse.position()
        return int(x), int(y)

    def move(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self._mouse.moveTo(round(x), round(y), _pause=False)

    def set_button(self, name: str, down: bool) -> None:
        """Presses or releases a mouse button."""
        number = BUTTONS[name]
        self._fake(_BUTTON_PRESS if down else _BUTTON_RELEASE, number)
        if down and number not in self.held_buttons:
            self.held_buttons.append(number)
        elif not down and number in self.held_buttons:
            self.held_buttons.remove(number)
        self._x11.sync()

    def click(self, button: str, count: int) -> None:
        """Clicks a mouse button, several times in a row if asked."""
        for _ in range(count):
            self.set_button(button, True)
            self.set_button(button, False)

    def scroll(self, notches_x: int, notches_y: int) -> None:
        """Positive is right and down."""
        for notches, negative, positive in (
            (notches_y, WHEEL_UP, WHEEL_DOWN),
            (notches_x, WHEEL_LEFT, WHEEL_RIGHT),
        ):
            wheel = positive if notches > 0 else negative
            for _ in range(abs(notches)):
                self._fake(_BUTTON_PRESS, wheel)
                self._fake(_BUTTON_RELEASE, wheel)
        self._x11.sync()

    def set_key(self, keysym: int, down: bool) -> None:
        """Presses or releases a key."""
        code, shifted = self._code_of(keysym)
        if down and shifted:
            self.set_key(_NAMED_KEYSYMS["shift"], True)
        self._fake(_KEY_PRESS if down else _KEY_RELEASE, code)
        if down and keysym not in self.held_keys:
            self.held_keys.append(keysym)
        elif not down and keysym in self.held_keys:
            self.held_keys.remove(keysym)
        if not down and shifted:
            self.set_key(_NAMED_KEYSYMS["shift"], False)
        self._x11.sync()

    def press_chord(self, keysyms: Sequence[int]) -> None:
        """Presses in order, releases in reverse, also after an error."""
        with self.holding(keysyms[:-1]):
            self.set_key(keysyms[-1], True)
            self.set_key(keysyms[-1], False)

    @contextmanager
    def holding(self, keysyms: Sequence[int]) -> Iterator[None]:
        """Holds keys down while the body runs."""
        pressed: list[int] = []
        try:
            for keysym in keysyms:
                self.set_key(keysym, True)
                pressed.append(keysym)
            yield
        finally:
            for keysym in reversed(pressed):
                self.set_key(keysym, False)

    def type_text(self, text: str) -> Iterator[None]:
        """Types in runs; yields between two runs, when the unused key codes are all taken and the
        programs must have read what was typed before these mean something else."""
        rest = text.replace("\r\n", "\n").replace("\r", "\n")
        while rest:
            run = self._prepare(rest)
            for character in rest[:run]:
                code, shifted = self._codes[keysym_of(character)]
                if shifted:
                    self._fake(_KEY_PRESS, self._shift)
                self._fake(_KEY_PRESS, code)
                self._fake(_KEY_RELEASE, code)
                if shifted:
                    self._fake(_KEY_RELEASE, self._shift)
            self._x11.sync()
            rest = rest[run:]
            if rest:
                yield

    def release_all(self) -> None:
        """Releases whatever is held down."""
        for keysym in reversed(self.held_keys[:]):
            self._fake(_KEY_RELEASE, self._code_of(keysym)[0])
        for button in self.held_buttons[:]:
            self._fake(_BUTTON_RELEASE, button)
        self.held_keys.clear()
        self.held_buttons.clear()
        self._x11.sync()

    def _prepare(self, text: str) -> int:
        """Maps the characters of `text`; gives how many of them can be typed with this mapping."""
        used: set[int] = set()
        for index, character in enumerate(text):
            keysym = keysym_of(character)
            if keysym not in self._codes:
                if not self._spare:
                    self._free(used)
                if not self._spare:
                    return index
                self._map(keysym, self._spare.pop())
            used.add(keysym)
        return len(text)

    def _map(self, keysym: int, code: int) -> None:
        row = [keysym] * 2 + [_NO_SYMBOL] * (self._width - 2)
        self._x11.connection.core.ChangeKeyboardMapping(1, code, self._width, row)
        self._codes[keysym] = (code, False)
        self._mapped[keysym] = code

    def _free(self, used: set[int]) -> None:
        for keysym, code in list(self._mapped.items()):
            if keysym not in used:
                del self._mapped[keysym], self._codes[keysym]
                self._spare.append(code)

    def _code_of(self, keysym: int) -> tuple[int, bool]:
        if keysym not in self._codes:
            if not self._spare:
                self._free(set(self.held_keys))
            self._map(keysym, self._spare.pop())
            self._x11.sync()
        return self._codes[keysym]

    def _fake(self, kind: int, detail: int) -> None:
        self._test.FakeInput(kind, detail, 0, self._x11.root, 0, 0, 0)
