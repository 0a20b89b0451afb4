"""Pages of the list of episodes: which rows, and where the next page begins.

Guarantees: a page is a range of one index, whatever is asked for; a cursor that this server did not
issue is refused.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypedDict

from sqlalchemy import and_, or_

from agent_server.store.engine import table_of
from agent_server.store.tables import Episode
from agent_server.store.task_words import has_words

episode = table_of(Episode)

COLUMNS = frozenset({"run_id", "phase", "purpose", "group_id", "policy", "reason"})
Place = tuple[datetime, str]
"""Of a row in the list: its time and its id."""


class BadCursor(ValueError):
    """A page cursor that this server did not issue."""


class Filters(TypedDict, total=False):
    """What a list shows; what is None, empty or left out is left open. `text`: words of the
    instruction, each by its first letters. `since`, `before`: when the task was submitted."""

    run_id: str | None
    phase: str | None
    purpose: str | None
    group_id: str | None
    policy: str | None
    reason: str | None
    text: str
    since: datetime | None
    before: datetime | None


def make_conditions(filters: Filters) -> list[Any]:
    """Of all rows that the list shows."""
    since, before = filters.get("since"), filters.get("before")
    conditions = [
        episode.c[name] == value
        for name, value in filters.items()
        if name in COLUMNS and value is not None
    ]
    if since is not None:
        conditions.append(episode.c.submitted_at >= since)
    if before is not None:
        conditions.append(episode.c.submitted_at < before)
    return [*conditions, *has_words(episode.c.root_id, filters.get("text", ""))]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of episodes, and the cursor of the next page."""

    episodes: list[Episode]
    next_cursor: str | None


def is_after(created_at: Any, key: Any, place: Place) -> Any:
    """Condition: further down the list than this place. The first half repeats the second, for
    databases that use an index for a plain comparison only."""
    last_at, last_key = place
    return and_(created_at <= last_at, or_(created_at < last_at, key < last_key))


def encode_cursor(created_at: datetime, key: str) -> str:
    """The cursor of the rows after this one."""
    return base64.urlsafe_b64encode(f"{created_at.isoformat()}|{key}".encode()).decode()


def decode_cursor(cursor: str) -> Place:
    """Raises BadCursor."""
    try:
        at, _, episode_id = base64.urlsafe_b64decode(cursor.encode()).decode().partition("|")
        created_at = datetime.fromisoformat(at)
        if created_at.tzinfo is None or not episode_id:
            raise ValueError(at)
        return created_at.astimezone(UTC), episode_id
    except (binascii.Error, OverflowError, ValueError) as error:
        raise BadCursor("this server did not issue the cursor") from error
