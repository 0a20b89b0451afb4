"""The canonical state of a tracker: made from a world, and read from Trac's own files.

What a verdict looks at: tickets with their comments, milestones, lists of the administration, pages
of the wiki, files, reports, rights, and the project's name. Numbers and times do not count but the
days that a milestone names.
"""

from __future__ import annotations

import configparser
import hashlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from envs.gyms.apps.trac.content import (
    COMPONENTS,
    PRIORITIES,
    RESOLUTIONS,
    TYPES,
    VERSIONS,
    Tracker,
)
from envs.gyms.kit.company import Company
from envs.gyms.real.logins import login_of
from envs.gyms.real.rows import fold_text, name_uniquely
from envs.gyms.server.gym import State

DATABASE, SETTINGS = "db/trac.db", "conf/trac.ini"
BUSY_S = 5.0
RIGHTS = ("TICKET_CREATE", "TICKET_MODIFY", "WIKI_CREATE", "WIKI_MODIFY")
"""Of everybody who is known to the tracker."""
DEFAULT_RIGHTS = {
    "anonymous": [
        *("BROWSER_VIEW", "CHANGESET_VIEW", "FILE_VIEW", "LOG_VIEW", "MILESTONE_VIEW"),
        *("REPORT_SQL_VIEW", "REPORT_VIEW", "ROADMAP_VIEW", "SEARCH_VIEW", "TICKET_VIEW"),
        *("TIMELINE_VIEW", "WIKI_VIEW"),
    ],
    "authenticated": list(RIGHTS),
}
"""As Trac's installer grants them."""
LISTS = {"priority": PRIORITIES, "resolution": RESOLUTIONS, "ticket_type": TYPES}
REPORTS = {
    "Active Tickets": "858be109d31c",
    "Active Tickets by Version": "172ce0babd97",
    "Active Tickets by Milestone": "5e77cac1e4ca",
    "Accepted, Active Tickets by Owner": "2a7fac7f961d",
    "Accepted, Active Tickets by Owner (Full Description)": "955a94adf321",
    "All Tickets By Milestone  (Including closed)": "c2e65253c231",
    "My Tickets": "9a665550d622",
    "Active Tickets, Mine first": "bb6935318c4f",
}
"""Those of Trac's installer, as hashes of what they say."""
_FIELDS = (
    *("type", "component", "priority", "owner", "reporter", "cc", "version", "milestone"),
    *("status", "resolution", "keywords"),
)


def make_state(world: Company, tracker: Tracker) -> State:
    """The state of a tracker."""
    return {
        "tickets": {
            ticket.summary: {
                **{name: ticket.to_fields()[name] for name in _FIELDS},
                "description": ticket.description,
                "comments": [{"by": each.by, "text": each.text} for each in ticket.remarks],
            }
            for ticket in tracker.tickets
        },
        "milestones": {
            name: {
                "description": stage.description,
                "due": _day_of(stage.due),
                "completed": stage.completed > 0,
            }
            for name, stage in tracker.milestones.items()
        },
        "components": {
            name: {"owner": tracker.owners[name], "description": description}
            for name, description in COMPONENTS.items()
        },
        "versions": dict.fromkeys(VERSIONS, ""),
        "lists": {kind: list(names) for kind, names in LISTS.items()},
        "pages": {name: fold_text(text) for name, text in tracker.pages.items()},
        "locked": [],
        "files": {},
        "reports": dict(REPORTS),
        "rights": DEFAULT_RIGHTS | make_rights(world, tracker),
        "project": make_project(world),
    }


def make_rights(world: Company, tracker: Tracker) -> dict[str, list[str]]:
    """What each of the tracker's people may do."""
    rights = {login_of(person): list(RIGHTS) for person in tracker.staff}
    return rights | {login_of(world.user): sorted((*RIGHTS, "TRAC_ADMIN"))}


def make_project(world: Company) -> dict[str, str]:
    """The settings of this world's tracker."""
    return {"name": f"{world.name} tracker", "descr": "Who does what, and until when", "url": ""}


def read_state(folder: Path) -> State:
    """The state in the files of a copy."""
    address = f"file:{folder / DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as database:
        names = _name_tickets(database)
        return {
            "tickets": _read_tickets(database, names),
            "milestones": {
                name: {
                    "description": fold_text(text or ""),
                    "due": _day_of((due or 0) // 1_000_000),
                    "completed": bool(completed),
                }
                for name, text, due, completed in database.execute(
                    "SELECT name, description, due, completed FROM milestone ORDER BY name"
                )
            },
            "components": {
                name: {"owner": owner or "", "description": fold_text(text or "")}
                for name, owner, text in database.execute(
                    "SELECT name, owner, description FROM component ORDER BY name"
                )
            },
            "versions": {
                name: fold_text(text or "")
                for name, text in database.execute(
                    "SELECT name, description FROM version ORDER BY name"
                )
            },
            "lists": {
                kind: [
                    name
                    for (name,) in database.execute(
                        "SELECT name FROM enum WHERE type = ? ORDER BY CAST(value AS INTEGER)",
                        (kind,),
                    )
                ]
                for kind in LISTS
            },
            "pages": {
                name: fold_text(text)
                for name, text in database.execute(
                    "SELECT name, text FROM wiki AS page WHERE version ="
                    " (SELECT max(version) FROM wiki WHERE wiki.name = page.name) ORDER BY name"
                )
            },
            "locked": [
                name
                for (name,) in database.execute(
                    "SELECT name FROM wiki GROUP BY name HAVING max(readonly) > 0 ORDER BY name"
                )
            ],
            "files": _read_files(database, names),
            "reports": _read_reports(database),
            "rights": _read_rights(database),
            "project": _read_project(folder / SETTINGS),
        }


def _name_tickets(database: sqlite3.Connection) -> dict[int, str]:
    rows = database.execute("SELECT id, summary FROM ticket ORDER BY id")
    return name_uniquely((key, summary or "") for key, summary in rows)


def _read_tickets(database: sqlite3.Connection, names: dict[int, str]) -> dict[str, Any]:
    columns = ", ".join(_FIELDS)
    rows = list(database.execute(f"SELECT id, description, {columns} FROM ticket ORDER BY id"))
    comments: dict[int, list[dict[str, str]]] = {key: [] for key in names}
    for ticket, author, text in database.execute(
        # Each change has a comment. One without text was written if it had another one before.
        "SELECT ticket, author, newvalue FROM ticket_change AS change WHERE field = 'comment'"
        " AND (newvalue != '' OR EXISTS (SELECT 1 FROM ticket_change AS old WHERE"
        " old.ticket = change.ticket AND old.time = change.time AND old.field LIKE '\\_comment%'"
        " ESCAPE '\\')) ORDER BY ticket, time"
    ):
        comments[ticket].append({"by": author, "text": fold_text(text or "")})
    return {
        names[key]: {
            **{name: text or "" for name, text in zip(_FIELDS, fields, strict=True)},
            "description": fold_text(description or ""),
            "comments": comments[key],
        }
        for key, description, *fields in rows
    }


def _read_files(database: sqlite3.Connection, names: dict[int, str]) -> dict[str, str]:
    """What is attached, by its place and name."""
    files = {}
    for kind, place, name, size, text in database.execute(
        "SELECT type, id, filename, size, description FROM attachment ORDER BY type, id, filename"
    ):
        at = names.get(int(place), place) if kind == "ticket" else place
        files[f"{kind} {at}: {name}"] = f"{size} bytes, {fold_text(text or '')}"
    return files


def _read_reports(database: sqlite3.Connection) -> dict[str, str]:
    rows = list(database.execute("SELECT id, title, query, description FROM report ORDER BY id"))
    names = name_uniquely((row[0], row[1] or "") for row in rows)
    return {
        names[key]: hashlib.sha256(
            f"{fold_text(query or '')}\n{fold_text(text or '')}".encode()
        ).hexdigest()[:12]
        for key, _, query, text in rows
    }


def _read_rights(database: sqlite3.Connection) -> dict[str, list[str]]:
    rights: dict[str, list[str]] = {}
    for user, right in database.execute(
        "SELECT username, action FROM permission ORDER BY username, action"
    ):
        rights.setdefault(user, []).append(right)
    return rights


def _read_project(path: Path) -> dict[str, str]:
    settings = configparser.RawConfigParser(strict=False)
    settings.read(path)
    return {name: settings.get("project", name, fallback="") for name in ("name", "descr", "url")}


def _day_of(seconds: int) -> str:
    """ISO date; "" for never."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds else ""
