"""The page around an app's own content: navigation by layout, theme, message, disturbances."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from envs.gyms.kit import disturbances
from envs.gyms.kit.app import App
from envs.gyms.kit.html import Child, el, join, link, note
from envs.gyms.kit.request import IN_PLACE, RequestContext, take_flash
from envs.gyms.server.themes import THEMES

_FOLDER = Path(__file__).parent
SCRIPT = IN_PLACE + (_FOLDER / "kit.js").read_text()
"""Of every page: links in place, menus, dialogs, forms that submit on change."""
OVERLAY_STYLE = (_FOLDER / "overlay.css").read_text()
_STYLE = (_FOLDER / "kit.css").read_text() + OVERLAY_STYLE


def make_style(theme: int, *sheets: str) -> Markup:
    """One style sheet: the theme's variables and the sheets, on one line."""
    text = f":root{{{THEMES[theme]}}}" + "".join(sheets)
    return Markup("".join(line.strip() for line in text.splitlines()))


@lru_cache(maxsize=16)
def _make_kit_style(theme: int) -> Markup:
    return make_style(theme, _STYLE)


def render_page(
    request: RequestContext, title: str, *body: Child, heading: str | None = None
) -> str:
    """A whole page; takes the waiting message. `heading`, if it is not the title, is what the page
    shows large."""
    flash = take_message(request)
    message = el("p", flash, role="status", class_="flash") if flash else None
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("title", f"{title} - {request.app.title}"),
        el("style", _make_kit_style(request.appearance.theme)),
    )
    main = el("main", message, el("h1", heading or title), body)
    content = el(
        "body",
        _render_header(request),
        main,
        render_overlay(request),
        el("script", Markup(SCRIPT)),
        class_=f"layout{request.appearance.layout}",
    )
    return Markup("<!doctype html>") + el("html", head, content, lang="en")


def take_message(request: RequestContext[Any]) -> Child:
    """The waiting message, once; with a link to the form whose changes were taken back."""
    flash = take_flash(request.visit)
    unsaved_form = request.visit.session.unsaved_form
    if flash == disturbances.TAKEN_BACK and unsaved_form not in (request.path, request.address):
        return join([flash, " ", link(disturbances.TO_THE_FORM, unsaved_form)])
    return flash


def render_not_found(request: RequestContext, message: str) -> str:
    """The page for a path or a record that is not there."""
    return render_page(request, "Not found", note(message))


def render_bare_page(request: RequestContext[Any], title: str, text: str, *body: Child) -> str:
    """A page without navigation: errors and the sign-in."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("title", title),
        el("style", _make_kit_style(request.appearance.theme)),
    )
    content = el("body", el("main", el("h1", title), el("p", text), body))
    return Markup("<!doctype html>") + el("html", head, content, lang="en")


def render_overlay(request: RequestContext[Any]) -> Markup | None:
    """A banner or an offer over the page, until it is dismissed."""
    if request.overlay == "banner":
        text, answer = "We use cookies to improve your experience.", disturbances.ACCEPT
    elif request.overlay == "offer":
        text, answer = "Try our new app! 30 days for free.", disturbances.NO_THANKS
    else:
        return None
    button = el("button", answer, type="button", data_dismiss="veil")
    card = el("div", el("p", text), button, class_="card", role="dialog", aria_label="Notice")
    return el("div", card, id="veil")


def _render_header(request: RequestContext) -> Markup:
    """Layout 2 hides the navigation behind a button."""
    world = request.world
    has_menu = request.appearance.layout == 2
    links = [link(label, request.url(path)) for label, path in _order_navigation(request)]
    other_apps = [_link_to_app(app) for app in request.apps if app is not request.app]
    opener = el("button", "Menu", type="button", data_menu="nav", aria_expanded="false")
    return el(
        "header",
        el("b", f"{world.name} {request.app.title}"),
        opener if has_menu else None,
        el("nav", join(links), id="nav", hidden=has_menu),
        el("nav", "Apps: ", join(other_apps), class_="apps") if other_apps else None,
        el("span", world.user.name, class_="who"),
    )


def _link_to_app(app: App) -> Markup:
    return link(app.title, f"/{app.name}/")


def _order_navigation(request: RequestContext) -> list[tuple[str, str]]:
    """The navigation's places; each world has its own order, but for the first."""
    first, *rest = request.app.nav
    request.world.rng(f"nav:{request.app.name}").shuffle(rest)
    return [first, *rest]
