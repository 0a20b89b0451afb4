"""One spelling for each key: xdotool's, pyautogui's, Playwright's and OpenAI's names come in."""

from __future__ import annotations

_ALIASES = {
    "return": "enter",
    "kp_enter": "enter",
    "esc": "escape",
    "del": "delete",
    "bksp": "backspace",
    "control": "ctrl",
    "control_l": "ctrl",
    "control_r": "ctrl",
    "ctrlleft": "ctrl",
    "ctrlright": "ctrl",
    "shift_l": "shift",
    "shift_r": "shift",
    "shiftleft": "shift",
    "shiftright": "shift",
    "alt_l": "alt",
    "alt_r": "alt",
    "altleft": "alt",
    "altright": "alt",
    "option": "alt",
    "super": "meta",
    "super_l": "meta",
    "win": "meta",
    "cmd": "meta",
    "command": "meta",
    "page_up": "pageup",
    "pgup": "pageup",
    "prior": "pageup",
    "page_down": "pagedown",
    "pgdn": "pagedown",
    "next": "pagedown",
    "up": "arrowup",
    "down": "arrowdown",
    "left": "arrowleft",
    "right": "arrowright",
    "spacebar": "space",
    " ": "space",
    "ins": "insert",
    "plus": "+",
    "minus": "-",
    "equal": "=",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "apostrophe": "'",
    "grave": "`",
    "bracketleft": "[",
    "bracketright": "]",
    "underscore": "_",
    "asterisk": "*",
    "colon": ":",
    "question": "?",
    "exclam": "!",
    "at": "@",
    "numbersign": "#",
    "super_r": "meta",
    "meta_l": "meta",
    "meta_r": "meta",
    "winleft": "meta",
    "winright": "meta",
    "optionleft": "alt",
    "optionright": "alt",
    "iso_left_tab": "tab",
    "caps_lock": "capslock",
    "num_lock": "numlock",
    "print": "printscreen",
    "prtsc": "printscreen",
    "prtscr": "printscreen",
    "prntscrn": "printscreen",
    "print_screen": "printscreen",
    "apps": "menu",
    "\n": "enter",
    "\r": "enter",
    "\t": "tab",
    "add": "+",
    "kp_add": "+",
    "subtract": "-",
    "kp_subtract": "-",
    "multiply": "*",
    "kp_multiply": "*",
    "divide": "/",
    "kp_divide": "/",
    "decimal": ".",
    "kp_decimal": ".",
    **{f"num{n}": f"{n}" for n in range(10)},
    **{f"kp_{n}": f"{n}" for n in range(10)},
}


def canonical_key(name: str) -> str:
    """Lower case but for single characters; whether such a key exists is the caller's to say."""
    plain = name if len(name) == 1 else name.strip().lower()
    return _ALIASES.get(plain, plain)


def chord(text: str) -> tuple[str, ...]:
    """Keys of a chord as xdotool writes it: "ctrl+s", "ctrl++". Raises ValueError."""
    if text == "+":
        return ("+",)
    names = [*text[:-2].split("+"), "+"] if text.endswith("++") else text.split("+")
    if not all(names):
        raise ValueError(
            f"{text[:40]!r} has an empty key name: join names with one +, as in ctrl+s"
        )
    return tuple(canonical_key(name) for name in names)
