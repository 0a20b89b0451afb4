"""Times are aware and in UTC on every backend."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from agent_server.store.tables import Episode, UtcDateTime, utcnow
from envs.contract.outcomes import Status


def test_times_come_back_in_utc() -> None:
    column = UtcDateTime()
    local = datetime(2026, 1, 2, 12, tzinfo=timezone(timedelta(hours=3)))
    assert column.process_bind_param(local, None) == datetime(2026, 1, 2, 9, tzinfo=UTC)
    naive = datetime(2026, 1, 2, 9)
    assert column.process_result_value(naive, None) == datetime(2026, 1, 2, 9, tzinfo=UTC)
    assert column.process_bind_param(None, None) is None
    assert utcnow().tzinfo is UTC


def test_a_new_episode_is_queued_and_a_first_attempt() -> None:
    row = Episode(id="e", run_id="r", purpose="api", task={})
    assert (row.status, row.attempt, row.retry_of) == (Status.QUEUED, 1, None)
