"""One page whose script draws what the server sends: the screen as JSON, drawn as panels, switches,
segmented choices and dialogs of its own (client.js)."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from markupsafe import Markup, escape

from envs.gyms.generated.frame import Frame, get_cover
from envs.gyms.generated.html_parts import make_generated_style
from envs.gyms.generated.screens import Actions, Block, Button, Link, Screen
from envs.gyms.kit.html import el, get_initials
from envs.gyms.kit.page_frame import make_head

_FOLDER = Path(__file__).parent
_SCRIPT = (_FOLDER / "client.js").read_text()
_STYLE = (_FOLDER / "client.css").read_text()


@lru_cache(maxsize=64)
def _make_style(theme: int, picture: Markup) -> Markup:
    return make_generated_style(theme, picture, _STYLE)


def render(frame: Frame, screen: Screen) -> str:
    """A page with the screen as JSON and the script that draws it."""
    data = orjson.dumps(_describe(frame, screen)).decode().replace("<", "\\u003c")
    style = _make_style(frame.look.theme, frame.picture)
    head = make_head(f"{screen.title} | {frame.title}", style)
    body = el(
        "body",
        el("script", Markup(data), type="application/json", id="screen"),
        el("script", Markup(_SCRIPT)),
    )
    return Markup("<!doctype html>") + el("html", head, body, lang="en")


def _describe(frame: Frame, screen: Screen) -> dict[str, Any]:
    cover, current_place = get_cover(frame), frame.find_place()
    return {
        "app": frame.title,
        "owner": frame.owner,
        "user": frame.user,
        "initials": get_initials(frame.user),
        "navigation": frame.look.navigation,
        "menu": frame.menu,
        "opens_by_button": frame.look.theme % 2 == 1,
        "places": [asdict(place) for place in frame.places],
        "here": current_place.href if current_place else None,
        "message": str(escape(frame.message)) if frame.message else "",
        "cover": {"text": cover[0], "answer": cover[1]} if cover else None,
        "title": screen.title,
        "document_title": f"{screen.title} | {frame.title}",
        "crumbs": [asdict(crumb) for crumb in screen.crumbs],
        "blocks": [_describe_block(block) for block in screen.blocks],
    }


def _describe_block(block: Block) -> dict[str, Any]:
    data = {**asdict(block), "block": type(block).__name__}
    if isinstance(block, Actions):
        data["shown"] = [_describe_action(entry) for entry in block.shown]
        data["in_menu"] = [_describe_action(entry) for entry in block.in_menu]
    return data


def _describe_action(entry: Link | Button) -> dict[str, Any]:
    return {**asdict(entry), "is_link": isinstance(entry, Link)}
