"""Puts a world's content into a fresh tracker, by Trac's own functions. The body is JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from trac.env import open_environment
from trac.perm import PermissionSystem
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.web.session import DetachedSession
from trac.wiki.model import WikiPage


def fill(path: str, body: bytes) -> bytes:
    """The cookies of the signed-in user, as JSON."""
    world = json.loads(body)
    env = open_environment(path, use_cache=True)
    with env.db_transaction as db:
        for kind in (Component, Milestone, Version):
            for entry in kind.select(env):
                entry.delete()
        for section, options in world["settings"].items():
            for name, value in options.items():
                env.config.set(section, name, value)
        env.config.save()
        permissions = PermissionSystem(env)
        for user in world["users"]:
            session = DetachedSession(env, user["login"])
            session["name"], session["email"] = user["name"], user["email"]
            session.save()
            for right in user["rights"]:
                permissions.grant_permission(user["login"], right)
        _make_lists(env, world)
        for ticket in world["tickets"]:
            _make_ticket(env, ticket)
        for page in world["pages"]:
            wiki = WikiPage(env, page["name"])
            wiki.text = page["text"]
            wiki.save(page["author"], "", _date(page["at"]))
        cookie = (world["token"], world["user"], "127.0.0.1", world["clock"])
        db("INSERT INTO auth_cookie (cookie, name, ipnr, time) VALUES (%s, %s, %s, %s)", cookie)
    return json.dumps({"trac_auth": world["token"], "trac_form_token": world["token"]}).encode()


def _make_lists(env: Any, world: dict[str, Any]) -> None:
    for name, component in world["components"].items():
        made = Component(env)
        made.name, made.owner = name, component["owner"]
        made.description = component["description"]
        made.insert()
    for name, milestone in world["milestones"].items():
        made = Milestone(env)
        made.name, made.description = name, milestone["description"]
        made.due = _date(milestone["due"]) if milestone["due"] else None
        made.completed = _date(milestone["completed"]) if milestone["completed"] else None
        made.insert()
    for name in world["versions"]:
        made = Version(env)
        made.name = name
        made.insert()


def _make_ticket(env: Any, entry: dict[str, Any]) -> None:
    ticket = Ticket(env)
    for name, value in entry["fields"].items():
        ticket[name] = value
    ticket.insert(when=_date(entry["at"]))
    for comment in entry["comments"]:
        ticket.save_changes(comment["by"], comment["text"], when=_date(comment["at"]))


def _date(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
