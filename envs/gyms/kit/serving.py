"""The kit's apps over HTTP: each page function behind its path, disturbances in between.

Guarantees: an app that raises something else than Refused or NotFound answers with an error page,
as a site would; a form that led to it has changed nothing. The session records it for the verdict's
details, and is judged all the same. A form that was accepted and comes again, as after a double
click, changes nothing more and gets the same answer.
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

from envs.gyms.kit import disturbances
from envs.gyms.kit.app import App, PageSpec
from envs.gyms.kit.disturbances import Disturbance, sample_disturbance
from envs.gyms.kit.html import PAGE_FIELD, el, link
from envs.gyms.kit.page_frame import render_bare_page, render_not_found
from envs.gyms.kit.request import (
    EXPIRED,
    PAGE_HEADERS,
    Redirect,
    RequestContext,
    read_form,
    visit_of,
)
from envs.gyms.server.gym import NotFound, Refused
from envs.gyms.server.sessions import FormReply, GymSession

log = logging.getLogger(__name__)
AnyContext = RequestContext[Any]
AppsOf = Callable[[str], tuple[App[Any], ...]]
"""The apps that a gym serves."""
NO_STORE = {"Cache-Control": "no-store"}


def routes_of(app: App[Any], apps_of: AppsOf) -> list[Route]:
    """The app's pages, the sign-in page and a page for all other paths."""
    signed_out = PageSpec(method="GET", path="/signed-out", handler=_show_signed_out)
    rest = PageSpec(method="GET", path="/{rest:path}", handler=_show_nothing)
    # First: a path of an app such as /{kind} fits this one, too.
    specs = [(signed_out, True), *((spec, False) for spec in app.pages), (rest, True)]
    return [
        Route(
            f"/{app.name}{spec.path}",
            _make_endpoint(app, apps_of, spec, calm=calm),
            methods=[spec.method],
            name=f"{spec.method}:{app.name}{spec.path}",
        )
        for spec, calm in specs
    ]


def _make_endpoint(
    app: App[Any], apps_of: AppsOf, spec: PageSpec, *, calm: bool
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """`calm`: nothing disturbs this page, and it is only on the way to another one."""

    async def endpoint(http_request: Request) -> Response:
        form = await read_form(http_request) if spec.method == "POST" else {}
        if form is None:
            return Response("this form is too large", 413)
        visit = visit_of(http_request, form)
        session = visit.session
        session.requests += 1
        disturbance = None if calm else _disturb(session, spec.method)
        if disturbance is not None and disturbance.kind == "slow":
            await asyncio.sleep(disturbance.delay_s)
        request = RequestContext.of(app, apps_of(session.task.gym or ""), visit, keep_draft=calm)
        arguments = http_request.path_params
        unchanged = orjson.dumps(session.state) if spec.method == "POST" else None
        try:
            if spec.method == "POST":
                return _handle_form(request, spec, arguments, disturbance)
            return _handle_page(request, spec, arguments, disturbance)
        except Exception as error:
            session.crash = f"{spec.method} {visit.path}: {error!r}"[:300]
            log.exception("%s crashed", app.name)
            if unchanged is not None:
                session.state = orjson.loads(unchanged)
            return HTMLResponse("<h1>Internal error</h1>", 500, headers=PAGE_HEADERS)

    return endpoint


def _disturb(session: GymSession, method: str) -> Disturbance | None:
    """What happens to the session's current request; it is remembered."""
    disturbance = sample_disturbance(
        session.task, method, session.requests, last=session.disturbed_at
    )
    if disturbance is not None:
        session.disturbed_at = session.requests
    return disturbance


def _handle_page(
    request: AnyContext,
    spec: PageSpec,
    arguments: dict[str, Any],
    disturbance: Disturbance | None,
) -> Response:
    kind = disturbance.kind if disturbance else None
    if kind == "error":
        retry = link(disturbances.AGAIN, request.address)
        page = render_bare_page(
            request, disturbances.ERROR_TITLE, "The server did not answer in time.", retry
        )
        return HTMLResponse(page, 503, headers=PAGE_HEADERS)
    if kind == "expired":
        return _redirect_to_sign_in(request, request.address)
    if kind in ("banner", "offer"):
        request = replace(request, overlay=kind)
    with _unsaved_preview(request.visit.session):
        try:
            return HTMLResponse(spec.handler(request, **arguments), headers=PAGE_HEADERS)
        except NotFound as error:
            return _not_found(request, error)


def _not_found(request: AnyContext, error: NotFound) -> Response:
    render = request.app.render_not_found or render_not_found
    return HTMLResponse(render(request, str(error)), 404, headers=PAGE_HEADERS)


@contextlib.contextmanager
def _unsaved_preview(session: GymSession) -> Iterator[None]:
    """One page shows changes that were not saved; what was visited stays in the log."""
    preview, session.unsaved_preview = session.unsaved_preview, None
    if preview is None:
        yield
        return
    real, session.state = session.state, preview
    try:
        yield
    finally:
        session.state = real
        real["log"] = preview["log"]


def _handle_form(
    request: AnyContext,
    spec: PageSpec,
    arguments: dict[str, Any],
    disturbance: Disturbance | None,
) -> Response:
    visit = request.visit
    token = visit.form.pop("token", "")
    form_page = _page_of_form(request, visit.form.pop(PAGE_FIELD, ""))
    fields = dict(visit.form)
    kind = disturbance.kind if disturbance else None
    try:
        if not visit.session.owns_token(visit.path, token):
            raise Refused(EXPIRED)
        if (reply := visit.session.replies.get(token)) is not None:
            visit.state["flash"] = reply.flash or visit.state["flash"]
            return RedirectResponse(reply.path, 303, headers=NO_STORE)
        visit.session.record_post(visit.path, fields)
        if visit.state["flash"] == disturbances.TAKEN_BACK:
            # What the user does not know yet comes first.
            return RedirectResponse(form_page, 303, headers=NO_STORE)
        if kind in ("unsaved", "expired"):
            raise Refused(disturbances.UNSAVED)
        if kind == "taken back":
            return _pretend_to_save(request, spec, arguments, form_page)
        redirect: Redirect = spec.handler(request, **arguments)
        visit.session.replies[token] = FormReply(redirect.path, redirect.flash)
    except Refused as refusal:
        if refusal.event is not None:
            request.log_event(refusal.event)
        redirect = Redirect(form_page, str(refusal))
        visit.state["draft"] = {"path": form_page, "fields": fields}
    except NotFound as error:
        return _not_found(request, error)
    if redirect.flash is not None:
        visit.state["flash"] = redirect.flash
    if kind == "expired":
        return _redirect_to_sign_in(request, redirect.path)
    return RedirectResponse(redirect.path, 303, headers=NO_STORE)


def _page_of_form(request: AnyContext, page: str) -> str:
    """The page that a form is on: the path above its own, unless it names another of this app."""
    above = request.path.rpartition("/")[0] or "/"
    return page if page.startswith(request.url("/")) else above


def _pretend_to_save(
    request: AnyContext, spec: PageSpec, arguments: dict[str, Any], form_page: str
) -> Response:
    """As optimistic sites do: the next page shows the change as made, the one after it says that
    it was not. A change that no message would confirm is refused at once. Raises Refused."""
    session, fields = request.visit.session, dict(request.visit.form)
    real, session.state = session.state, orjson.loads(orjson.dumps(session.state))
    try:
        redirect: Redirect = spec.handler(request, **arguments)
    finally:
        preview, session.state = session.state, real
    if redirect.flash is None:
        raise Refused(disturbances.UNSAVED)
    preview["flash"] = redirect.flash
    session.unsaved_preview, session.unsaved_form = preview, form_page
    real["flash"] = disturbances.TAKEN_BACK
    real["draft"] = {"path": form_page, "fields": fields}
    return RedirectResponse(redirect.path, 303, headers=NO_STORE)


def _redirect_to_sign_in(request: AnyContext, address: str) -> Response:
    path = request.url(f"/signed-out?to={quote(address, safe='')}")
    return RedirectResponse(path, 303, headers=NO_STORE)


def _show_signed_out(request: AnyContext) -> str:
    to = request.query.get("to", "")
    is_inside = any(to.startswith(f"/{app.name}/") for app in request.apps)
    path, _, query = (to if is_inside else request.url("/")).partition("?")
    hidden = [el("input", type="hidden", name=key, value=value) for key, value in parse_qsl(query)]
    button = el("form", hidden, el("button", disturbances.SIGN_IN), action=path)
    text = "You were signed out to keep your data safe."
    return render_bare_page(request, disturbances.EXPIRED_TITLE, text, button)


def _show_nothing(request: AnyContext, rest: str) -> str:
    raise NotFound(f"There is no page {rest[:60]}")
