"""Trac 1.6 of PyPI, on SQLite, behind a server of Python's own library. See `Application`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import aiohttp

from envs.gyms.apps.trac.content import COMPONENTS, TICKETS, VERSIONS, Tracker, make_tracker
from envs.gyms.apps.trac.state import make_project, make_rights, make_state, read_state
from envs.gyms.kit.company import Company, get_company
from envs.gyms.real.application import (
    Cookies,
    PageRequest,
    WorldCopy,
)
from envs.gyms.real.box import DATA, run_installer
from envs.gyms.real.filling import post_world
from envs.gyms.real.gym import start_of
from envs.gyms.real.installed import find_application
from envs.gyms.real.logins import login_of
from envs.gyms.real.searches import fold_words
from envs.gyms.real.server_box import PORT, ServerCommand
from envs.gyms.server.gym import State

INSIDE = Path(__file__).with_name("inside")
TOKEN = "d" * 32
"""What the cookie of the signed-in user proves; it opens nothing but copies of made-up worlds."""


@lru_cache(maxsize=64)
def get_tracker(seed: int) -> Tracker:
    """The tracker of a seed; it must not be changed."""
    world = get_company(seed)
    return make_tracker(world, start_of(world))


class Trac:
    """See `Application`."""

    name = "trac"

    def server_command(self) -> ServerCommand:
        """See `inside/serve.py`."""
        argv = [_python(), "-I", "/inside/serve.py", str(PORT)]
        return ServerCommand(argv=argv, files={"/app": _files(), "/inside": INSIDE})

    async def install(self, folder: Path) -> None:
        """By Trac's own functions."""
        files = {"/app": _files(), "/inside": INSIDE}
        command = [_python(), "-I", "/inside/install.py", f"{DATA}/{folder.name}"]
        await run_installer(command, files, folder.parent)

    async def fill(self, http: aiohttp.ClientSession, copy: WorldCopy, world: Company) -> Cookies:
        """By `inside/fill.py`."""
        tracker = get_tracker(world.seed)
        rights = make_rights(world, tracker)
        body = {
            "clock": copy.clock,
            "token": TOKEN,
            "user": login_of(world.user),
            "users": [
                {
                    "login": login_of(person),
                    "name": person.name,
                    "email": person.email,
                    "rights": rights[login_of(person)],
                }
                for person in (world.user, *tracker.staff)
            ],
            "settings": {"project": make_project(world)},
            "components": {
                name: {"owner": tracker.owners[name], "description": description}
                for name, description in COMPONENTS.items()
            },
            "milestones": {name: asdict(stage) for name, stage in tracker.milestones.items()},
            "versions": VERSIONS,
            "tickets": [
                {
                    "fields": ticket.to_fields(),
                    "at": ticket.at,
                    "comments": [asdict(remark) for remark in ticket.remarks],
                }
                for ticket in tracker.tickets
            ],
            "pages": [
                {"name": name, "text": text, "author": login_of(world.user), "at": copy.clock}
                for name, text in tracker.pages.items()
            ],
        }
        return await post_world(http, self.name, copy, world, body)

    def make_state(self, world: Company) -> State:
        """See `state.make_state`."""
        return make_state(world, get_tracker(world.seed))

    def read_state(self, folder: Path) -> State:
        """See `state.read_state`."""
        return read_state(folder)

    def list_events(self, request: PageRequest) -> Sequence[str]:
        """`page:PATH` of a page, such as "ticket/12" or "admin/ticket/components"; `search:WORDS`;
        `tickets:WORDS` where tickets for sure, and of all statuses, were searched for the words.
        `narrowed:WORDS` of a search that left out tickets, which later ones may do then too."""
        if request.method != "GET" or request.status != 200:
            return ()
        place = request.path.strip("/")
        if place == "search":
            return _list_searches(request.query)
        first = place.split("/")[0]
        pages = (f"page:{place}",) if first in PLACES else ()
        return (*pages, *_list_queries(request.pairs)) if place == "query" else pages


PLACES = frozenset({"admin", "milestone", "newticket", "query", "roadmap", "ticket", "wiki"})
"""Pages that a milestone may ask for, by the first part of their paths."""


def _list_searches(query: Mapping[str, str]) -> Sequence[str]:
    words = fold_words(query.get("q", ""))
    if not words or query.get("page", "1") not in ("", "1"):
        return ()
    if "ticket" in query:
        return (f"search:{words}", f"tickets:{words}")
    # Without any kind, Trac takes those of the search before.
    return (f"narrowed:{words}",) if OTHER_KINDS & set(query) else (f"search:{words}",)


def _list_queries(pairs: Sequence[tuple[str, str]]) -> Sequence[str]:
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        if name not in LOOKS:
            values.setdefault(name, []).append(value)
    summaries, statuses = values.pop("summary", []), values.pop("status", [])
    if values or len(summaries) != 1 or not summaries[0].startswith("~"):
        return ()
    # Several statuses are alternatives.
    if statuses and not set(TICKETS) <= set(statuses):
        return ()
    words = fold_words(summaries[0][1:])
    return (f"tickets:{words}",) if words else ()


OTHER_KINDS = frozenset({"changeset", "milestone", "wiki"})
"""What can be searched besides tickets."""
LOOKS = frozenset({"col", "desc", "group", "groupdesc", "order", "row", "verbose"})
"""Parts of a query that change how its tickets are shown, and not which ones."""


def _python() -> str:
    return str(Path(sys.executable).resolve())


def _files() -> Path:
    files = find_application("trac")
    assert files is not None, "the gym exists only where Trac is installed"
    return files
