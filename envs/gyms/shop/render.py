"""From page values to HTML: compiled Jinja templates, three layouts, four themes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from envs.gyms.pages import Visit, take_flash
from envs.gyms.shop.catalogue import Look, hydrate, money

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
_SCRIPT = (_HTML / "shop.js").read_text()
_BASE = (_HTML / "base.css").read_text()
_THEMES = (
    "--back:#f7f8fa;--ink:#1f2430;--bar:#fff;--card:#fff;--line:#d6dae1;--accent:#0b57a4;"
    "--on:#fff;--note:#e2f2e5;--round:4px;--font:system-ui,sans-serif",
    "--back:#fff8f0;--ink:#3a2415;--bar:#f2dfca;--card:#fffdf9;--line:#e0c8ae;--accent:#a8481a;"
    "--on:#fff;--note:#fbeec2;--round:12px;--font:Georgia,serif",
    "--back:#15171c;--ink:#e8e8ea;--bar:#20242c;--card:#1c2027;--line:#3a404c;--accent:#8ab4f8;"
    "--on:#10131a;--note:#1f3a2b;--round:0;--font:system-ui,sans-serif",
    "--back:#eef5f0;--ink:#16302a;--bar:#d5ebe0;--card:#fff;--line:#bfd6cb;--accent:#0f6b57;"
    "--on:#fff;--note:#fff3c4;--round:8px;--font:Verdana,sans-serif",
)


@lru_cache(maxsize=64)
def _template(name: str) -> Template:
    return _pages.get_template(name)


@lru_cache(maxsize=16)
def _style(theme: int, layout: int) -> str:
    text = f":root{{{_THEMES[theme]}}}" + _BASE + (_HTML / f"layout{layout}.css").read_text()
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
