"""The style sheet of a page: several sheets as one, with their constants filled in.

Chromium would look each variable up anew for each element, and load a picture anew on each page
that shows it: only what a sheet changes below the root stays a variable.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from envs.gyms.kit.icons import make_icon_style
from envs.gyms.server.themes import THEMES

_ROOT = re.compile(r":root\{([^}]*)\}")
_DECLARED = re.compile(r"[{;](--[\w-]+):")
_USED = re.compile(r"var\((--[\w-]+)\)")


def make_style(theme: int, *sheets: str) -> Markup:
    """The theme, the icons that occur and the sheets, on one line."""
    text = "".join(line.strip() for sheet in sheets for line in sheet.splitlines())
    return Markup(_fill_in(f":root{{{THEMES[theme]}}}{make_icon_style(text)}{text}"))


def _fill_in(sheet: str) -> str:
    """Puts the values of `:root` in place of variables that no other rule declares."""
    root = ";".join(_ROOT.findall(sheet)).split(";")
    rules = _ROOT.sub("", sheet)
    changed = set(_DECLARED.findall(rules))
    values = dict(declaration.split(":", 1) for declaration in root)
    constants = {name: value for name, value in values.items() if name not in changed}
    rest = ";".join(f"{name}:{value}" for name, value in values.items() if name in changed)
    filled = _USED.sub(lambda use: constants.get(use[1], use[0]), rules)
    return f":root{{{rest}}}{filled}" if rest else filled
