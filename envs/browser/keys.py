"""Key names: xdotool's, pyautogui's, Playwright's and OpenAI's spellings, for CDP key events."""

from __future__ import annotations

from dataclasses import dataclass

MODIFIER_BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}

_ALIASES = {
    "return": "enter", "kp_enter": "enter", "esc": "escape", "del": "delete", "bksp": "backspace",
    "control": "ctrl", "control_l": "ctrl", "control_r": "ctrl", "ctrlleft": "ctrl",
    "ctrlright": "ctrl", "shift_l": "shift", "shift_r": "shift", "shiftleft": "shift",
    "shiftright": "shift", "alt_l": "alt", "alt_r": "alt", "altleft": "alt", "altright": "alt",
    "option": "alt", "super": "meta", "super_l": "meta", "win": "meta", "cmd": "meta",
    "command": "meta", "page_up": "pageup", "pgup": "pageup", "prior": "pageup",
    "page_down": "pagedown", "pgdn": "pagedown", "next": "pagedown", "up": "arrowup",
    "down": "arrowdown", "left": "arrowleft", "right": "arrowright", "spacebar": "space",
    " ": "space", "ins": "insert", "plus": "+", "minus": "-", "equal": "=", "comma": ",",
    "period": ".", "slash": "/",
}  # fmt: skip

_NAMED: dict[str, tuple[str, str, int]] = {
    "enter": ("Enter", "Enter", 13),
    "tab": ("Tab", "Tab", 9),
    "escape": ("Escape", "Escape", 27),
    "backspace": ("Backspace", "Backspace", 8),
    "delete": ("Delete", "Delete", 46),
    "insert": ("Insert", "Insert", 45),
    "home": ("Home", "Home", 36),
    "end": ("End", "End", 35),
    "pageup": ("PageUp", "PageUp", 33),
    "pagedown": ("PageDown", "PageDown", 34),
    "arrowup": ("ArrowUp", "ArrowUp", 38),
    "arrowdown": ("ArrowDown", "ArrowDown", 40),
    "arrowleft": ("ArrowLeft", "ArrowLeft", 37),
    "arrowright": ("ArrowRight", "ArrowRight", 39),
    "space": (" ", "Space", 32),
    "ctrl": ("Control", "ControlLeft", 17),
    "shift": ("Shift", "ShiftLeft", 16),
    "alt": ("Alt", "AltLeft", 18),
    "meta": ("Meta", "MetaLeft", 91),
    **{f"f{n}": (f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)},
}


@dataclass(frozen=True, slots=True)
class KeyPress:
    """One key as CDP's Input.dispatchKeyEvent wants it. `text` is what it types, if anything."""

    key: str
    code: str
    virtual: int
    text: str
    modifier: int

    @property
    def params(self) -> dict[str, object]:
        return {"key": self.key, "code": self.code, "windowsVirtualKeyCode": self.virtual}


def key_press(name: str) -> KeyPress | None:
    """None when no such key is known."""
    plain = name if len(name) == 1 else name.strip().lower()
    plain = _ALIASES.get(plain, plain)
    if plain in _NAMED:
        key, code, virtual = _NAMED[plain]
        text = {"enter": "\r", "space": " "}.get(plain, "")
        return KeyPress(key, code, virtual, text, MODIFIER_BITS.get(plain, 0))
    if len(plain) == 1 and plain.isprintable():
        upper = plain.upper()
        code = f"Key{upper}" if plain.isascii() and plain.isalpha() else ""
        code = f"Digit{plain}" if plain.isascii() and plain.isdigit() else code
        virtual = ord(upper) if upper.isascii() and len(upper) == 1 else 0
        return KeyPress(plain, code, virtual, plain, 0)
    return None
