"""A host keeps a bounded number of snapshots."""

from __future__ import annotations

import pytest

from envs.browser.page_state import PageState
from envs.browser.snapshots import Snapshot, Snapshots
from envs.contract.session import CannotSnapshot
from envs.contract.task import Task


def make_snapshot(snapshot_id: str) -> Snapshot:
    return Snapshot(
        id=snapshot_id,
        task=Task(id="t", instruction="x"),
        key=f"key of {snapshot_id}",
        state_hash="",
        page=PageState({}, (), 0),
        pointer=(0, 0),
        clipboard="",
    )


def test_the_oldest_snapshot_goes_first() -> None:
    snapshots = Snapshots(cap=2)
    assert [snapshots.add(make_snapshot(name)) for name in "ab"] == [[], []]
    assert [surplus.key for surplus in snapshots.add(make_snapshot("c"))] == ["key of a"]
    assert snapshots.get("c").id == "c"
    with pytest.raises(CannotSnapshot, match="no snapshot 'a'"):
        snapshots.get("a")
