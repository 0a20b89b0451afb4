"""Runs and the versions they publish."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.store.runs import RunExists, SwapWaits
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion, Run


@pytest.fixture
def sqlite(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path}/d.db")


def test_a_run_is_created_once_and_ends_when_it_is_closed(sqlite: Store) -> None:
    with sqlite as store:
        store.runs.create(Run(id="r", kind="eval", config={"a": 1}))
        with pytest.raises(RunExists, match="choose another id"):
            store.runs.create(Run(id="r", kind="eval"))
        assert store.runs.set_status("r", "finished")
        row = store.runs.get("r")
        assert row is not None
        assert (row.config, row.finished_at is None) == ({"a": 1}, False)
        store.runs.set_status("r", "running")
        reopened = store.runs.get("r")
        assert reopened is not None
        assert reopened.finished_at is None
        assert not store.runs.set_status("other", "finished")


def test_the_live_version_is_the_newest_that_was_verified(sqlite: Store) -> None:
    with sqlite as store:
        assert store.runs.live_version("r") is None
        rows = [PolicyVersion(run_id="r", version=n, path="", sha256="") for n in (1, 2, 3)]
        ids = [store.runs.add_version(row) for row in rows]
        store.runs.set_version(ids[0], "live")
        store.runs.set_version(ids[1], "live", verify={"mean": 0.01}, pause_ms=5.0)
        store.runs.set_version(ids[2], "rejected")
        live = store.runs.live_version("r")
        assert live is not None
        assert (live.version, live.pause_ms, live.verify) == (2, 5.0, {"mean": 0.01})


def test_one_version_at_a_time_is_asked_for(store: Store) -> None:
    row = PolicyVersion(run_id="run", version=7, path="v7", sha256="a", phase="pulse")
    request = store.runs.request_version(row, parent=8)
    with pytest.raises(SwapWaits, match="wait for its result"):
        store.runs.request_version(row, parent=8)
    waiting = store.runs.requested_version("run")
    assert waiting is not None
    assert (waiting.id, waiting.version, waiting.parent, waiting.phase) == (request, 7, 8, "pulse")
    store.runs.set_version(request, "live")
    assert store.runs.requested_version("run") is None
    assert store.runs.live_version("run") == store.runs.versions("run")[-1]
