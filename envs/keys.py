"""One spelling for each key: xdotool's, pyautogui's, Playwright's and OpenAI's names come in."""

from __future__ import annotations

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


def canonical_key(name: str) -> str:
    """Lower case but for single characters; whether such a key exists is the caller's to say."""
    plain = name if len(name) == 1 else name.strip().lower()
    return _ALIASES.get(plain, plain)
