"""A screen and what surrounds it as JSON, for families whose script draws the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson
from markupsafe import Markup, escape

from envs.gyms.generated.frame import Frame, get_cover
from envs.gyms.generated.screens import Actions, Block, Button, Link, Screen
from envs.gyms.kit.html import el, get_initials


def make_data_element(frame: Frame, screen: Screen, **more: str | int) -> Markup:
    """The element that a page's script reads; `more` is what one family knows besides."""
    data = orjson.dumps(_describe(frame, screen) | more).decode().replace("<", "\\u003c")
    return el("script", Markup(data), type="application/json", id="screen")


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
