"""The page around an app's own content: navigation by layout, theme, message, disturbances."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from envs.gyms.kit import disturbances
from envs.gyms.kit.app import CONFIRMED, App
from envs.gyms.kit.html import Child, el, get_initials, join, link, note
from envs.gyms.kit.request import IN_PLACE, RequestContext, take_flash
from envs.gyms.kit.style import make_style

_FOLDER = Path(__file__).parent
SCRIPT = IN_PLACE + "".join((_FOLDER / name).read_text() for name in ("kit.js", "pointing.js"))
"""Of every page: links in place, menus, dialogs, forms that submit on change."""
OVERLAY_STYLE = (_FOLDER / "overlay.css").read_text()
PHONE_STYLE = (_FOLDER / "phone.css").read_text()
KIT_SHEETS = ((_FOLDER / "kit.css").read_text(), (_FOLDER / "widgets.css").read_text())
"""Layout and widgets; the sheets of an app come after them, that of small screens last."""


@lru_cache(maxsize=64)
def _make_kit_style(theme: int, sheet: str) -> Markup:
    return make_style(theme, *KIT_SHEETS, sheet, OVERLAY_STYLE, PHONE_STYLE)


def make_head(title: str, style: Markup) -> Markup:
    """Title and style of a page that fits small screens too."""
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("title", title),
        el("meta", name="viewport", content="width=device-width"),
        el("style", style),
    )


def render_page(
    request: RequestContext, title: str, *body: Child, heading: str | None = None
) -> str:
    """A whole page; takes the waiting message. `heading`, if it is not the title, is what the page
    shows large."""
    flash = take_message(request)
    app = request.app
    style = _make_kit_style(request.appearance.theme, app.style)
    page_class = f"on-{title.lower().replace(' ', '-')}"
    main = el("main", render_message(flash), el("h1", heading or title), body, class_=page_class)
    content = el(
        "body",
        _render_header(request),
        main,
        render_overlay(request),
        el("script", Markup(SCRIPT)),
        class_=f"layout{request.appearance.layout} app-{app.name}",
    )
    head = make_head(f"{title} - {app.title}", style)
    return Markup("<!doctype html>") + el("html", head, content, lang="en")


def render_message(message: Child) -> Markup | None:
    """A message of one page: a toast where it confirms something, else a note above the page."""
    if not message:
        return None
    is_done = isinstance(message, str) and message.startswith(CONFIRMED)
    return el("p", message, role="status", class_="flash done" if is_done else "flash")


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
    head = make_head(title, _make_kit_style(request.appearance.theme, ""))
    content = el("body", el("main", el("h1", title), el("p", text), body), class_="bare")
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
    links = [
        el("a", label, href=url, class_="here" if url == request.path else None)
        for label, path in _order_navigation(request)
        for url in (request.url(path),)
    ]
    other_apps = [_link_to_app(app) for app in request.apps if app is not request.app]
    opener = el("button", "Menu", type="button", data_menu="nav", aria_expanded="false")
    return el(
        "header",
        el("b", f"{world.name} {request.app.title}"),
        opener if has_menu else None,
        el("nav", join(links), id="nav", hidden=has_menu),
        el("nav", "Apps: ", join(other_apps), class_="apps") if other_apps else None,
        el("span", world.user.name, class_="who", data_initials=get_initials(world.user.name)),
    )


def _link_to_app(app: App) -> Markup:
    return link(app.title, f"/{app.name}/")


def _order_navigation(request: RequestContext) -> list[tuple[str, str]]:
    """The navigation's places; each world has its own order, but for the first."""
    first, *rest = request.app.nav
    request.world.rng(f"nav:{request.app.name}").shuffle(rest)
    return [first, *rest]
