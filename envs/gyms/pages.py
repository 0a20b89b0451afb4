"""What the pages of every gym share: a visit to a session, forms that prove themselves, replies.

Guarantees: state changes only by POST; a POST counts only with the token of a form that this very
session was shown, and is answered by a redirect, so that a reload repeats nothing; what a rule
refuses changes nothing but the message shown. Bodies are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.sessions import GymSession

MAX_BODY = 20_000
MAX_FIELDS = 60
MAX_QUERY = 1000
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'"
    ),
}
IN_PLACE = (Path(__file__).parent / "in_place.js").read_text()
"""Script of a page that changes in place: it stands after all else in the body."""
EXPIRED = "This form has expired. Please try again"


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of one session."""

    session: GymSession
    path: str
    query: dict[str, str]
    form: dict[str, str]

    @property
    def state(self) -> State:
        return self.session.state

    def token(self, action: str) -> str:
        return self.session.form_token(action)


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where a form leads, with a message to show there."""

    path: str
    flash: str | None = None


Show = Callable[..., str]
"""(visit, **path parameters) -> HTML."""
Change = Callable[..., Redirect]
"""(visit, **path parameters) -> Redirect; may raise Refused."""
Missing = Callable[[Visit, str], str]
"""HTML of the page that says what was not found."""

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]


def get(path: str, show: Show, missing: Missing) -> Route:
    """A page. It may note what was looked at, and takes the waiting message."""

    async def endpoint(request: Request) -> Response:
        visit = visit_of(request, {})
        try:
            return HTMLResponse(show(visit, **request.path_params), headers=PAGE_HEADERS)
        except NotFound as error:
            return HTMLResponse(missing(visit, str(error)), 404, headers=PAGE_HEADERS)

    return Route(path, endpoint, methods=["GET"], name=f"get:{path}")


def post(path: str, change: Change, missing: Missing) -> Route:
    """A form's target: <page of the form>/<verb>. A refused form leads back to its page."""

    async def endpoint(request: Request) -> Response:
        form = await read_form(request)
        if form is None:
            return Response("this form is too large", 413)
        visit = visit_of(request, form)
        try:
            if not visit.session.owns_token(visit.path, form.pop("token", "")):
                raise Refused(EXPIRED)
            visit.session.sent(visit.path, dict(form))
            redirect = change(visit, **request.path_params)
        except Refused as refusal:
            redirect = Redirect(visit.path.rpartition("/")[0], str(refusal))
            visit.state["draft"] = {"path": redirect.path, "fields": form}
        except NotFound as error:
            return HTMLResponse(missing(visit, str(error)), 404, headers=PAGE_HEADERS)
        if redirect.flash is not None:
            visit.state["flash"] = redirect.flash
        return RedirectResponse(redirect.path, 303, headers={"Cache-Control": "no-store"})

    return Route(path, endpoint, methods=["POST"], name=f"post:{path}")


def take_flash(visit: Visit) -> str | None:
    """The message left by the last form, once."""
    flash: str | None = visit.state["flash"]
    visit.state["flash"] = None
    return flash


def take_draft(visit: Visit) -> dict[str, str]:
    """What a form held that was refused and led back to this page, once."""
    draft, visit.state["draft"] = visit.state["draft"], None
    if draft is None or draft["path"] != visit.path:
        return {}
    fields: dict[str, str] = draft["fields"]
    return fields


def visit_of(request: Request, form: dict[str, str]) -> Visit:
    scope = request.scope
    query = dict(parse_qsl(scope["query_string"].decode("latin-1")[:MAX_QUERY]))
    return Visit(scope["gym_session"], scope["path"], query, form)


async def read_form(request: Request) -> dict[str, str] | None:
    """URL-encoded fields; None when there are too many bytes or fields."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    try:
        return dict(
            parse_qsl(
                body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS
            )
        )
    except ValueError:
        return None
