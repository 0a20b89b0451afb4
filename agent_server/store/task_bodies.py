"""Large tasks are stored once, whatever the number of attempts, trials and changes of status.

A small task stands in the row of its episode. A large one is a row of `task_body`, named by its
SHA-256, and the episode's row holds a reference: SQLite writes the whole row at each change of
status, so a task of 30 MB there would be written again with every heartbeat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from agent_server.store.engine import table_of
from agent_server.store.tables import TaskBody

INLINE_BYTES = 8192
"""Tasks of gyms are about 1 KB as JSON."""
SHOWN_CHARS = 4000
BODY_KEY = "body_sha256"

task_body = table_of(TaskBody)


def make_reference(task: dict[str, Any]) -> dict[str, Any]:
    """The task itself if it is small, else a reference with its id and instruction."""
    data = orjson.dumps(task)
    if len(data) <= INLINE_BYTES or BODY_KEY in task:
        return task
    return {
        BODY_KEY: hashlib.sha256(data).hexdigest(),
        "name": str(task.get("id", ""))[:SHOWN_CHARS],
        "shown": str(task.get("instruction", ""))[:SHOWN_CHARS],
    }


def store_bodies(db: Connection, tasks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Store the large ones of these tasks; returns what goes into the rows of their episodes."""
    references: dict[int, dict[str, Any]] = {}
    bodies: dict[str, dict[str, Any]] = {}
    stored = []
    for task in tasks:  # trials of one task share the object
        if id(task) not in references:
            references[id(task)] = make_reference(task)
        reference = references[id(task)]
        if reference is not task:
            bodies[reference[BODY_KEY]] = task
        stored.append(reference)
    if bodies:
        dialect = sqlite if db.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(task_body).on_conflict_do_nothing()
        db.execute(statement, [{"id": key, "body": body} for key, body in bodies.items()])
    return stored


def load_task(db: Connection, stored: dict[str, Any]) -> dict[str, Any]:
    """The whole task of an episode's row; the reference, no task, where its body is gone."""
    key = stored.get(BODY_KEY)
    if key is None:
        return stored
    body: dict[str, Any] | None = db.execute(
        select(task_body.c.body).where(task_body.c.id == key)
    ).scalar_one_or_none()
    return stored if body is None else body


def describe_task(stored: dict[str, Any]) -> tuple[str, str]:
    """Id and instruction of what an episode's row holds."""
    if BODY_KEY in stored:
        return stored["name"], stored["shown"]
    return stored.get("id", ""), stored.get("instruction", "")
