from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event

from agent_server.store.pages import BadCursor, decode_cursor, encode_cursor
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def test_a_cursor_holds_a_place() -> None:
    assert decode_cursor(encode_cursor(NOON, "e1")) == (NOON, "e1")
    with pytest.raises(BadCursor):
        decode_cursor("bm9wZQ==")


def test_tasks_are_listed_by_agent_and_time(store: Store) -> None:
    for number in range(6):
        agent = ("anna", "bert")[number % 2]
        at = NOON + timedelta(minutes=number)
        row = Episode(
            id=f"e{number}", run_id="run", purpose="api", task={}, policy=agent, created_at=at
        )
        store.episodes.create([row])

    def ids(**filters: Any) -> list[str]:
        return [row.id for row in store.episodes.page(newest_only=True, **filters).episodes]

    assert ids(policy="anna") == ["e4", "e2", "e0"]
    assert ids(since=NOON + timedelta(minutes=2), before=NOON + timedelta(minutes=4)) == [
        "e3",
        "e2",
    ]
    assert ids(policy="bert", before=NOON + timedelta(minutes=4)) == ["e3", "e1"]
    assert ids(policy="nobody") == []


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"status": [Status.RUNNING]},
        {"status": [Status.QUEUED]},
        {"policy": "anna"},
        {"text": "shirt"},
        {"text": "shirt blue", "policy": "anna", "since": NOON},
        {"cursor": encode_cursor(NOON, "e1")},
    ],
    ids=lambda filters: "+".join(filters) or "all",
)
def test_no_page_of_a_run_reads_the_whole_table(store: Store, filters: dict[str, Any]) -> None:
    """SQLite tells how it would answer: never by a scan."""
    if store.engine.dialect.name != "sqlite":
        pytest.skip("a small table is scanned by PostgreSQL whatever indices it has")
    statements: list[tuple[str, Any]] = []

    def note(_db: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        statements.append((text, values))

    event.listen(store.engine, "before_cursor_execute", note)
    store.episodes.page(run_id="run", newest_only=True, **filters)
    event.remove(store.engine, "before_cursor_execute", note)
    text, values = next(entry for entry in statements if entry[0].startswith("SELECT"))
    with store.engine.begin() as db:
        plan = [row.detail for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)]
    assert not [line for line in plan if line.startswith("SCAN")], plan
    sorts = [line for line in plan if line == "USE TEMP B-TREE FOR ORDER BY"]
    # Several statuses are several ranges of the index, and words come in no order of time.
    assert not sorts or "status" in filters or "text" in filters, plan
