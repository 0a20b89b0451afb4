"""An app, and one request of one session to it.

A session's state holds one part for each app that the task's gym serves, and next to them what all
apps share: the message to show, the form that was refused, the log of what was looked at.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from envs.gyms.gym import Refused, State
from envs.gyms.kit.company import Company, company
from envs.gyms.kit.look import Look
from envs.gyms.pages import Redirect, Visit, take_draft

if TYPE_CHECKING:
    from envs.gyms.kit.site_tools import SiteTool

SHARED: State = {"log": [], "flash": None, "draft": None}
INCIDENTAL = ("/log", "/log/*", "/flash", "/draft", "/draft/*")
"""Paths of a session's state that looking around changes."""
MAX_LOG = 400


@dataclass(frozen=True, slots=True, eq=False)
class App:
    """`nav`: label and path (below the app) of its main places. `fresh` makes the app's state in
    the world of a seed. `stray` changes something by the app's own rules that no task asks for."""

    name: str
    title: str
    nav: tuple[tuple[str, str], ...]
    fresh: Callable[[Company], State]
    stray: Callable[[State, random.Random], None]
    tools: tuple[SiteTool, ...] = ()
    pages: list[PageSpec] = field(default_factory=list)

    def get(self, path: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
        """Registers `show(here, **path parameters) -> HTML` below the app."""

        def register(show: Callable[..., str]) -> Callable[..., str]:
            self.pages.append(PageSpec("GET", path, show))
            return show

        return register

    def post(self, path: str) -> Callable[[Callable[..., Redirect]], Callable[..., Redirect]]:
        """Registers `change(here, **path parameters) -> Redirect` for <path of the form>/<verb>;
        it may raise Refused, which leads back to the form's page with its fields kept."""

        def register(change: Callable[..., Redirect]) -> Callable[..., Redirect]:
            self.pages.append(PageSpec("POST", path, change))
            return change

        return register


@dataclass(frozen=True, slots=True)
class PageSpec:
    method: str
    path: str
    handler: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Here:
    """What a page function gets. `draft` holds the fields of a form that was refused and led back
    here."""

    app: App
    apps: tuple[App, ...]
    """All that the task's gym serves: links lead from one to the other."""
    visit: Visit
    world: Company
    draft: dict[str, str]
    blocking: str | None = None
    """What lies over the page (`disturb.py`)."""

    @classmethod
    def of(cls, app: App, apps: tuple[App, ...], visit: Visit, aside: bool = False) -> Here:
        """`aside`: the page lies on the way to another one, for which the draft is."""
        draft = {} if visit.form or aside else take_draft(visit)
        return cls(app, apps, visit, company(visit.session.task.seed), draft)

    @property
    def state(self) -> State:
        """The app's own part."""
        mine: State = self.visit.state[self.app.name]
        return mine

    @property
    def look(self) -> Look:
        return self.world.look

    @property
    def query(self) -> dict[str, str]:
        return self.visit.query

    @property
    def form(self) -> dict[str, str]:
        return self.visit.form

    @property
    def path(self) -> str:
        return self.visit.path

    @property
    def address(self) -> str:
        """Path and query of this page."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")

    def url(self, path: str) -> str:
        """Of a place in this app: "/invoices" is "/billing/invoices"."""
        return f"/{self.app.name}{path}"

    def note(self, event: str) -> None:
        """That the session was shown this; milestones ask for it by "<app>:<event>"."""
        log: list[str] = self.visit.state["log"]
        full = f"{self.app.name}:{event}"
        if full not in log and len(log) < MAX_LOG:
            log.append(full)

    def to(self, path: str, flash: str | None = None) -> Redirect:
        """Where a form leads when it was accepted, with a message to show there."""
        return Redirect(self.url(path), f"✓ {flash}" if flash else None)

    def required(self, name: str, label: str, limit: int = 200) -> str:
        """A text field's words. Raises Refused."""
        text = " ".join(self.form.get(name, "").split())
        if not text:
            raise Refused(f"{label} is required")
        if len(text) > limit:
            raise Refused(f"{label} is too long")
        return text

    def day(self, name: str, label: str) -> str:
        """A date field as ISO. Raises Refused."""
        found = self.look.read_date(self.required(name, label))
        if found is None:
            raise Refused(f"{label} must be a date such as {self.look.date_hint}")
        return found

    def cents(self, name: str, label: str) -> int:
        """A money field. Raises Refused."""
        found = self.look.read_money(self.required(name, label))
        if found is None or found <= 0:
            raise Refused(f"{label} must be an amount such as {self.look.money(12050)}")
        return found

    def choice(self, name: str, label: str, options: tuple[str, ...] | list[str]) -> str:
        """One of the options. Raises Refused."""
        found = self.form.get(name, "")
        if found not in options:
            raise Refused(f"Choose one: {label}")
        return found
