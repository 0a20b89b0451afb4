"""One request of one session to an app: its visit, its form, what a page function gets.

Guarantees: state changes only by POST; a POST counts only with the token of a form that this very
session was shown, and is answered by a redirect, so that a reload repeats nothing; what a rule
refuses changes nothing but the message shown. Bodies are bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from envs.gyms.kit.app import CONFIRMED, App
from envs.gyms.kit.appearance import Appearance
from envs.gyms.kit.locale import Locale
from envs.gyms.kit.world import W
from envs.gyms.server.gym import Refused, State
from envs.gyms.server.sessions import GymSession

MAX_BODY = 20_000
MAX_FIELDS = 60
MAX_QUERY = 1000
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self' 'unsafe-inline'; "
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
        """The session's."""
        return self.session.state

    def token(self, action: str) -> str:
        """For a form that posts to the path `action`."""
        return self.session.form_token(action)


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where a form leads, with a message to show there."""

    path: str
    flash: str | None = None


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
    """The visit of a request that the server's gate let through."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext(Generic[W]):
    """`apps`: all that the task's gym serves; links lead from one to the other. `draft`: the fields
    of a form that was refused and led back to this page. `overlay`: the disturbance that covers the
    page (`disturbances.py`)."""

    app: App[W]
    apps: tuple[App[W], ...]
    visit: Visit
    world: W
    draft: dict[str, str]
    overlay: str | None = None

    @classmethod
    def of(
        cls, app: App[W], apps: tuple[App[W], ...], visit: Visit, keep_draft: bool = False
    ) -> RequestContext[W]:
        """`keep_draft`: the draft is for a later page than this one."""
        draft = {} if visit.form or keep_draft else take_draft(visit)
        world: W = app.make_world(visit.session.task.seed)
        return cls(app=app, apps=apps, visit=visit, world=world, draft=draft)

    @property
    def state(self) -> State:
        """The app's part of the session's state."""
        return self.app.get_state(self.visit.state)

    @property
    def locale(self) -> Locale:
        """Of the world."""
        return self.world.locale

    @property
    def appearance(self) -> Appearance:
        """Of the world, or what the task says of its own."""
        return self.world.appearance.of_task(self.visit.session.task)

    @property
    def query(self) -> dict[str, str]:
        """Parameters of the address."""
        return self.visit.query

    @property
    def form(self) -> dict[str, str]:
        """Fields of a form that was sent; empty for a page."""
        return self.visit.form

    @property
    def path(self) -> str:
        """Path of the request, with the app's name."""
        return self.visit.path

    @property
    def address(self) -> str:
        """Path and query of this page."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")

    def url(self, path: str) -> str:
        """Of a place in this app: "/invoices" is "/billing/invoices"."""
        return f"/{self.app.name}{path}"

    def log_event(self, event: str) -> None:
        """Records that the session was shown this; milestones ask for "<app>:<event>", see
        `App.name_event`."""
        self.app.log_event(self.visit.state, event)

    def redirect_to(self, path: str, flash: str | None = None) -> Redirect:
        """Where an accepted form leads, with a message to show there."""
        return Redirect(self.url(path), f"{CONFIRMED}{flash}" if flash else None)

    def get_text(self, name: str, label: str, limit: int = 200) -> str:
        """A required text field. Raises Refused."""
        text = " ".join(self.form.get(name, "").split())
        if not text:
            raise Refused(f"{label} is required")
        if len(text) > limit:
            raise Refused(f"{label} is too long")
        return text

    def get_date(self, name: str, label: str) -> str:
        """A date field as ISO. Raises Refused."""
        day = self.locale.parse_date(self.get_text(name, label))
        if day is None:
            raise Refused(f"{label} must be a date such as {self.locale.date_example}")
        return day

    def get_cents(self, name: str, label: str) -> int:
        """A money field. Raises Refused."""
        cents = self.locale.parse_money(self.get_text(name, label))
        if cents is None or cents <= 0:
            raise Refused(f"{label} must be an amount such as {self.locale.format_money(12050)}")
        return cents

    def get_choice(self, name: str, label: str, options: tuple[str, ...] | list[str]) -> str:
        """One of the options. Raises Refused."""
        choice = self.form.get(name, "")
        if choice not in options:
            raise Refused(f"Choose one: {label}")
        return choice
