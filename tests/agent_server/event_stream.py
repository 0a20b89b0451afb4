"""Server-sent events, read to their end."""

from __future__ import annotations

import json
from typing import Any

import httpx
from starlette.testclient import TestClient

Client = TestClient | httpx.Client
Event = tuple[str, str, Any]
"""Its name, id and data."""


def events_of(
    client: Client, task_id: str, after: int = 0, events: list[Event] | None = None
) -> list[Event]:
    """Of a task."""
    return events_at(client, f"/v1/tasks/{task_id}/events", after, events)


def events_at(
    client: Client, path: str, after: int = 0, events: list[Event] | None = None
) -> list[Event]:
    """Up to the end of the stream; added to `events` as they come."""
    headers = {"last-event-id": str(after)} if after else {}
    events = [] if events is None else events
    with client.stream("GET", path, headers=headers) as reply:
        assert reply.status_code == 200
        fields: dict[str, str] = {}
        for line in reply.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "event" in fields:
                events.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
                fields = {}
    return events
