"""A small one: all is leased, renewed and finished, and no statement reads the whole table."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from agent_server.worker.runtime import make_pause
from benchmarks.scale import measure, running_services


@pytest.mark.services
def test_many_hosts_are_leased_and_no_table_is_read_whole() -> None:
    # Not pytest's folder: PostgreSQL's user could not enter it.
    with tempfile.TemporaryDirectory() as folder, running_services(Path(folder)) as settings:
        fast = settings.model_copy(update={"heartbeat_s": 0.5})
        figures, scans = measure(fast, hosts=128, history=10_000, seconds=2)
    assert scans == []
    names = ("dispatch_per_s", "lease_ms", "heartbeat_ms", "reap_ms", "finish_ms", "herd")
    assert {f"scale.{name}" for name in names} <= figures.keys()
    assert figures["scale.hosts"]["p50"] == 128


def test_heartbeats_of_workers_that_start_together_drift_apart() -> None:
    pauses = {make_pause(5.0) for _ in range(100)}
    assert len(pauses) > 50
    assert 3.5 < min(pauses) <= max(pauses) <= 5.0
