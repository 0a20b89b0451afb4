"""A single-page application of a component library that real sites use: MUI, on React. Its script
(material/) is built into material.js, which pages load from an address of its own."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.generated.frame import Frame
from envs.gyms.generated.html_parts import make_document
from envs.gyms.generated.page_script import ADDRESS
from envs.gyms.generated.screen_data import make_data_element
from envs.gyms.generated.screens import Screen
from envs.gyms.kit.html import el


def render(frame: Frame, screen: Screen) -> str:
    """A page with the screen as JSON and the script that draws it."""
    data = make_data_element(frame, screen, theme=frame.look.theme, picture=frame.picture)
    body = el("body", data, el("script", src=ADDRESS))
    return make_document(f"{screen.title} | {frame.title}", Markup(""), body)
