"""Keys as CDP key events want them."""

from __future__ import annotations

from dataclasses import dataclass

from envs.contract.keys import canonical_key

MODIFIER_BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}

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
        """Parameters of Input.dispatchKeyEvent for this key."""
        return {"key": self.key, "code": self.code, "windowsVirtualKeyCode": self.virtual}


def key_press(name: str) -> KeyPress | None:
    """None when no such key is known."""
    plain = canonical_key(name)
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
