"""From page values to HTML: compiled Jinja templates, three layouts, four themes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from envs.gyms.pages import IN_PLACE, Visit, take_flash
from envs.gyms.shop.catalogue import Look, hydrate, money
from envs.gyms.themes import THEMES

_HTML = Path(__file__).parent / "html"
_pages = Environment(
    loader=FileSystemLoader(_HTML),
    autoescape=True,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
_pages.filters["money"] = money
_SCRIPT = IN_PLACE + (_HTML / "shop.js").read_text()
_BASE = (_HTML / "base.css").read_text()


@lru_cache(maxsize=64)
def _template(name: str) -> Template:
    return _pages.get_template(name)


@lru_cache(maxsize=16)
def _style(theme: int, layout: int) -> str:
    text = f":root{{{THEMES[theme]}}}" + _BASE + (_HTML / f"layout{layout}.css").read_text()
    return "".join(line.strip() for line in text.splitlines())


def render(visit: Visit, name: str, title: str, **values: Any) -> str:
    """The page `name` for this visit's session; takes the waiting message."""
    look: Look = hydrate(visit.session.task.seed).look
    return _template(name).render(
        title=title,
        look=look,
        style=_style(look.theme, look.layout),
        script=_SCRIPT,
        cart_count=sum(line["qty"] for line in visit.state["cart"]),
        flash=take_flash(visit),
        token=visit.token,
        q=values.pop("q", ""),
        **values,
    )
