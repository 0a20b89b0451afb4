"""The page around an app's own content: navigation by layout, theme, message, disturbances."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from envs.gyms.kit import disturb
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Child, el, join, link
from envs.gyms.pages import IN_PLACE, take_flash
from envs.gyms.themes import THEMES

_HERE = Path(__file__).parent
_SCRIPT = Markup(IN_PLACE + (_HERE / "kit.js").read_text())


@lru_cache(maxsize=16)
def _style(theme: int) -> Markup:
    text = f":root{{{THEMES[theme]}}}" + (_HERE / "kit.css").read_text()
    return Markup("".join(line.strip() for line in text.splitlines()))


def page(here: Here, title: str, *body: Child, heading: str | None = None) -> str:
    """A whole page; takes the waiting message. `heading`, if it is not the title, is what the page
    shows large."""
    flash: Child = take_flash(here.visit)
    form_at = here.visit.session.unsaved_at
    if flash == disturb.TAKEN_BACK and form_at not in (here.path, here.address):
        flash = join([flash, " ", link(disturb.TO_THE_FORM, form_at)])
    return Markup("<!doctype html>") + el(
        "html",
        el("head", el("meta", charset="utf-8"), el("title", f"{title} - {here.app.title}"),
           el("style", _style(here.look.theme))),
        el(
            "body",
            _header(here),
            el(
                "main",
                el("p", flash, role="status", class_="flash") if flash else None,
                el("h1", heading or title), body,
            ),
            _in_the_way(here),
            el("script", _SCRIPT),
            class_=f"layout{here.look.layout}",
        ),
        lang="en",
    )  # fmt: skip


def _header(here: Here) -> Markup:
    world = here.world
    links = [link(label, here.url(path)) for label, path in _order(here)]
    others = [link(app.title, f"/{app.name}/") for app in here.apps if app is not here.app]
    nav = el("nav", join(links), id="nav", hidden=here.look.layout == 2)
    opener = None
    if here.look.layout == 2:
        opener = el("button", "Menu", type="button", data_menu="nav", aria_expanded="false")
    return el(
        "header", el("b", f"{world.name} {here.app.title}"), opener, nav,
        el("nav", "Apps: ", join(others), class_="apps") if others else None,
        el("span", world.user.name, class_="who"),
    )  # fmt: skip


def _order(here: Here) -> list[tuple[str, str]]:
    """The navigation's places; each world has its own order, but for the first."""
    first, *rest = here.app.nav
    here.world.rng(f"nav:{here.app.name}").shuffle(rest)
    return [first, *rest]


def _in_the_way(here: Here) -> Markup | None:
    """A banner or an offer over the page, until it is dismissed."""
    if here.blocking == "banner":
        text, answer = "We use cookies to improve your experience.", disturb.ACCEPT
    elif here.blocking == "offer":
        text, answer = "Try our new app! 30 days for free.", disturb.NO_THANKS
    else:
        return None
    return el(
        "div", el("div", el("p", text), el("button", answer, type="button", data_dismiss="veil"),
                  class_="card", role="dialog", aria_label="Notice"),
        id="veil",
    )  # fmt: skip


def bare(here: Here, title: str, text: str, *body: Child) -> str:
    """A page without navigation: errors and the sign-in."""
    return Markup("<!doctype html>") + el(
        "html",
        el("head", el("meta", charset="utf-8"), el("title", title),
           el("style", _style(here.look.theme))),
        el("body", el("main", el("h1", title), el("p", text), body)),
        lang="en",
    )  # fmt: skip
