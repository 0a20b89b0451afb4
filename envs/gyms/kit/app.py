"""An app of a gym: its state, its pages and its API tools.

A session's state holds one part for each app that the task's gym serves, and next to them what all
apps share: the message to show, the form that was refused, the log of what was visited.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from envs.gyms.kit.company import get_company
from envs.gyms.kit.world import W
from envs.gyms.server.gym import State

if TYPE_CHECKING:
    from envs.gyms.kit.request import RequestContext
    from envs.gyms.kit.site_tools import SiteTool

SHARED_STATE: State = {"log": [], "flash": None, "draft": None}
INCIDENTAL_PATHS = ("/log", "/log/*", "/flash", "/draft", "/draft/*")
"""Paths of a session's state that looking around changes."""
MAX_LOG = 400
CONFIRMED = "✓ "
"""Beginning of the message that confirms a form."""


def list_no_names(world: Any, state: State) -> dict[str, list[str]]:
    """No names besides those of the world."""
    return {}


def keep_record(kind: str, record: dict[str, Any]) -> bool:
    """Nothing that was made can be taken back."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpec:
    """One path of an app and the function behind it."""

    method: str
    path: str
    handler: Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class App(Generic[W]):
    """One app of a gym.

    `nav`: label and path (below the app) of its main places. `make_world` makes the world of a
    seed, cached; `make_state` the app's state in it. `make_stray_change` changes something by the
    app's own rules that no task asks for. `owns_session_state`: the app's part is the whole state
    of the session, and its events have no prefix; such an app is never served beside others.
    `render_not_found`: the page for a message of NotFound, if not the kit's. `confirmations`: how
    messages begin that confirm a form. `make_corpus`: the text of its pages, if not made of all
    texts in its state. `numbered`: names of its lists whose new records get ids and numbers that
    mean nothing else. `list_names`: names in its state by kind (people, products), besides those of
    the company; no two splits share one. `is_withdrawn`: whether a new record, of the list of this
    name, was taken back by the app's own rules, so that it does no harm. `style`: a sheet of its
    own, after the kit's.
    """

    name: str
    title: str
    nav: tuple[tuple[str, str], ...]
    make_state: Callable[[W], State]
    make_stray_change: Callable[[State, random.Random], None]
    make_world: Callable[[int], Any] = get_company
    tools: tuple[SiteTool, ...] = ()
    owns_session_state: bool = False
    render_not_found: Callable[[RequestContext[W], str], str] | None = None
    confirmations: tuple[str, ...] = (CONFIRMED,)
    make_corpus: Callable[[W], list[str]] | None = None
    pages: tuple[PageSpec, ...] = ()
    numbered: tuple[str, ...] = ()
    is_withdrawn: Callable[[str, dict[str, Any]], bool] = keep_record
    list_names: Callable[[W, State], dict[str, list[str]]] = list_no_names
    style: str = ""

    def get_state(self, session_state: State) -> State:
        """The app's part of a session's state."""
        part: State = session_state if self.owns_session_state else session_state[self.name]
        return part

    def make_session_state(self, world: W) -> State:
        """The app's part of a session's state at the start, as a mapping to merge."""
        state = self.make_state(world)
        return state if self.owns_session_state else {self.name: state}

    def log_event(self, session_state: State, event: str) -> None:
        """Records in the session's log that the app showed this, once."""
        log: list[str] = session_state["log"]
        entry = self.name_event(event)
        if entry not in log and len(log) < MAX_LOG:
            log.append(entry)

    def name_event(self, event: str) -> str:
        """The event as the log holds it and milestones ask for it."""
        return event if self.owns_session_state else f"{self.name}:{event}"
