"""One page whose script draws what the server sends: the screen as JSON, drawn as panels, switches,
segmented choices and dialogs of its own (client.js)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from envs.gyms.generated.frame import Frame
from envs.gyms.generated.html_parts import make_document, make_generated_style
from envs.gyms.generated.screen_data import make_data_element
from envs.gyms.generated.screens import Screen
from envs.gyms.kit.html import el

_FOLDER = Path(__file__).parent
_SCRIPT = (_FOLDER / "client.js").read_text()
_STYLE = (_FOLDER / "client.css").read_text()


@lru_cache(maxsize=64)
def _make_style(theme: int, picture: Markup) -> Markup:
    return make_generated_style(theme, picture, _STYLE)


def render(frame: Frame, screen: Screen) -> str:
    """A page with the screen as JSON and the script that draws it."""
    body = el("body", make_data_element(frame, screen), el("script", Markup(_SCRIPT)))
    style = _make_style(frame.look.theme, frame.picture)
    return make_document(f"{screen.title} | {frame.title}", style, body)
