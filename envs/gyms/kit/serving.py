"""The kit's apps over HTTP: each page function behind its path, disturbances in between.

Guarantees: an app that raises something else than Refused or NotFound has crashed: the session
says so from then on, and its verdict is a fault (`host_lost`), never a score.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from envs.gyms.gym import NotFound, Refused
from envs.gyms.kit import disturb
from envs.gyms.kit.disturb import Upset, upset
from envs.gyms.kit.frame import bare, page
from envs.gyms.kit.here import App, Here, PageSpec
from envs.gyms.kit.html import el, link, note
from envs.gyms.pages import EXPIRED, PAGE_HEADERS, Redirect, read_form, visit_of

log = logging.getLogger(__name__)
AppsOf = Callable[[str], tuple[App, ...]]
"""The apps that a gym serves."""
NO_STORE = {"Cache-Control": "no-store"}


def routes_of(app: App, apps_of: AppsOf) -> list[Route]:
    made = [
        Route(
            f"/{app.name}{spec.path}", _endpoint(app, apps_of, spec), methods=[spec.method],
            name=f"{spec.method}:{app.name}{spec.path}",
        )
        for spec in app.pages
    ]  # fmt: skip
    signed_out = PageSpec("GET", "/signed-out", _signed_out)
    rest = PageSpec("GET", "/{rest:path}", _nothing_here)
    for spec in (signed_out, rest):
        made.append(Route(f"/{app.name}{spec.path}", _endpoint(app, apps_of, spec, calm=True)))
    return made


def _endpoint(
    app: App, apps_of: AppsOf, spec: PageSpec, calm: bool = False
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def endpoint(request: Request) -> Response:
        form = await read_form(request) if spec.method == "POST" else {}
        if form is None:
            return Response("this form is too large", 413)
        visit = visit_of(request, form)
        session = visit.session
        session.requests += 1
        happens = (
            None if calm else upset(session.task, spec.method, session.requests, session.upset_at)
        )
        if happens is not None:
            session.upset_at = session.requests
            if happens.kind == "slow":
                await asyncio.sleep(happens.delay_s)
        here = Here.of(app, apps_of(session.task.gym or ""), visit, aside=calm)
        try:
            if spec.method == "POST":
                return _posted(here, spec, request, happens)
            return _shown(here, spec, request, happens)
        except Exception as error:
            session.crashed = f"{spec.method} {visit.path}: {error!r}"[:300]
            log.exception("%s crashed", app.name)
            return HTMLResponse("<h1>Internal error</h1>", 500, headers=PAGE_HEADERS)

    return endpoint


def _shown(here: Here, spec: PageSpec, request: Request, happens: Upset | None) -> Response:
    kind = happens.kind if happens else None
    address = here.path + (f"?{request.url.query}" if request.url.query else "")
    if kind == "error":
        again = link(disturb.AGAIN, address)
        text = bare(here, disturb.ERROR_TITLE, "The server did not answer in time.", again)
        return HTMLResponse(text, 503, headers=PAGE_HEADERS)
    if kind == "expired":
        return _sign_in(here, address)
    if kind in ("banner", "offer"):
        here = replace(here, blocking=kind)
    try:
        return HTMLResponse(spec.handler(here, **request.path_params), headers=PAGE_HEADERS)
    except NotFound as error:
        return HTMLResponse(page(here, "Not found", note(str(error))), 404, headers=PAGE_HEADERS)


def _posted(here: Here, spec: PageSpec, request: Request, happens: Upset | None) -> Response:
    visit = here.visit
    form = dict(visit.form)
    back = visit.path.rpartition("/")[0] or "/"
    try:
        if not visit.session.owns_token(visit.path, visit.form.pop("token", "")):
            raise Refused(EXPIRED)
        form = dict(visit.form)
        visit.session.sent(visit.path, form)
        if happens is not None and happens.kind in ("unsaved", "expired"):
            raise Refused(disturb.UNSAVED)
        redirect = spec.handler(here, **request.path_params)
    except Refused as refusal:
        redirect = Redirect(back, str(refusal))
        visit.state["draft"] = {"path": back, "fields": form}
    except NotFound as error:
        return HTMLResponse(page(here, "Not found", note(str(error))), 404, headers=PAGE_HEADERS)
    if redirect.flash is not None:
        visit.state["flash"] = redirect.flash
    if happens is not None and happens.kind == "expired":
        return _sign_in(here, redirect.path)
    return RedirectResponse(redirect.path, 303, headers=NO_STORE)


def _sign_in(here: Here, address: str) -> Response:
    path = here.url(f"/signed-out?to={quote(address, safe='')}")
    return RedirectResponse(path, 303, headers=NO_STORE)


def _signed_out(here: Here) -> str:
    to = here.query.get("to", "")
    inside = any(to.startswith(f"/{app.name}/") for app in here.apps)
    path, _, query = (to if inside else here.url("/")).partition("?")
    kept = [el("input", type="hidden", name=key, value=value) for key, value in parse_qsl(query)]
    button = el("form", kept, el("button", disturb.SIGN_IN), action=path)
    return bare(here, disturb.EXPIRED_TITLE, "You were signed out to keep your data safe.", button)


def _nothing_here(here: Here, rest: str) -> str:
    raise NotFound(f"There is no page {rest[:60]}")
