"""The kit's apps over HTTP: each page function behind its path, disturbances in between.

Guarantees: an app that raises something else than Refused or NotFound has crashed: the session
says so from then on, and its verdict is a fault (`host_lost`), never a score.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from envs.gyms.gym import NotFound, Refused
from envs.gyms.kit import disturb
from envs.gyms.kit.disturb import Upset, upset
from envs.gyms.kit.frame import bare, page
from envs.gyms.kit.here import App, Here, PageSpec
from envs.gyms.kit.html import PAGE, el, link, note
from envs.gyms.pages import EXPIRED, PAGE_HEADERS, Redirect, read_form, visit_of
from envs.gyms.sessions import GymSession

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
    if kind == "error":
        again = link(disturb.AGAIN, here.address)
        text = bare(here, disturb.ERROR_TITLE, "The server did not answer in time.", again)
        return HTMLResponse(text, 503, headers=PAGE_HEADERS)
    if kind == "expired":
        return _sign_in(here, here.address)
    if kind in ("banner", "offer"):
        here = replace(here, blocking=kind)
    with _as_if_saved(here.visit.session):
        return _page_or_404(here, spec, request)


def _page_or_404(here: Here, spec: PageSpec, request: Request) -> Response:
    try:
        return HTMLResponse(spec.handler(here, **request.path_params), headers=PAGE_HEADERS)
    except NotFound as error:
        return HTMLResponse(page(here, "Not found", note(str(error))), 404, headers=PAGE_HEADERS)


@contextlib.contextmanager
def _as_if_saved(session: GymSession) -> Iterator[None]:
    """A page shows changes that were not saved, once; what was looked at stays noted."""
    imagined, session.imagined = session.imagined, None
    if imagined is None:
        yield
        return
    real, session.state = session.state, imagined
    try:
        yield
    finally:
        session.state = real
        real["log"] = imagined["log"]


def _posted(here: Here, spec: PageSpec, request: Request, happens: Upset | None) -> Response:
    visit = here.visit
    back = _page_of(here, visit.form.pop(PAGE, ""))
    form = dict(visit.form)
    try:
        if not visit.session.owns_token(visit.path, visit.form.pop("token", "")):
            raise Refused(EXPIRED)
        form = dict(visit.form)
        visit.session.sent(visit.path, form)
        if visit.state["flash"] == disturb.TAKEN_BACK:
            # What the user did not know yet comes first.
            return RedirectResponse(back, 303, headers=NO_STORE)
        if happens is not None and happens.kind in ("unsaved", "expired"):
            raise Refused(disturb.UNSAVED)
        if happens is not None and happens.kind == "taken back":
            return _taken_back(here, spec, request, back, form)
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


def _page_of(here: Here, said: str) -> str:
    """The page that a form is on: the path above its own, unless it says another of this app."""
    above = here.path.rpartition("/")[0] or "/"
    return said if said.startswith(here.url("/")) else above


def _taken_back(
    here: Here, spec: PageSpec, request: Request, back: str, form: dict[str, str]
) -> Response:
    """As optimistic sites do: the next page shows the change as made, the one after it tells that
    it was not. A change that no message would confirm is refused at once. Raises Refused."""
    session = here.visit.session
    real, session.state = session.state, orjson.loads(orjson.dumps(session.state))
    try:
        redirect = spec.handler(here, **request.path_params)
    finally:
        imagined, session.state = session.state, real
    if redirect.flash is None:
        raise Refused(disturb.UNSAVED)
    imagined["flash"] = redirect.flash
    session.imagined, session.unsaved_at = imagined, back
    real["flash"], real["draft"] = disturb.TAKEN_BACK, {"path": back, "fields": form}
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
