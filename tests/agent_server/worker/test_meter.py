"""A key is charged for each step once, also over a database that goes away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.store.quotas import Quota
from agent_server.store.store import Store
from agent_server.worker.meter import Meter


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path / 'x.db'}") as opened:
        opened.keys.create("ci", "run", quota=Quota(steps=3))
        yield opened


def used_steps(store: Store) -> float:
    return store.quotas.standings(["ci"])["ci"].used["steps"]


def test_each_step_is_charged_once(store: Store) -> None:
    meter = Meter(store.quotas, "ci")
    assert meter.charge() is None
    for steps in (1, 2):
        meter.spending.steps = steps
        assert meter.charge() is None
        assert meter.charge() is None
        assert used_steps(store) == steps
    meter.spending.steps = 3
    used_up = meter.charge(is_over=True)
    assert used_up is not None
    assert "the key ci has used 3 of its 3 steps of today" in used_up
    assert meter.charge() == used_up
    assert used_steps(store) == 3


def test_what_a_database_missed_is_charged_later(store: Store) -> None:
    meter = Meter(store.quotas, "ci")
    meter.spending.steps = 1
    with store.engine.begin() as db:
        db.exec_driver_sql("ALTER TABLE key_use RENAME TO hidden")
    assert meter.charge() is None
    with store.engine.begin() as db:
        db.exec_driver_sql("ALTER TABLE hidden RENAME TO key_use")
    meter.spending.steps = 2
    meter.charge()
    assert used_steps(store) == 2


def test_without_a_key_nobody_is_charged(store: Store) -> None:
    meter = Meter(store.quotas, None)
    meter.spending.steps = 9
    assert meter.charge(is_over=True) is None
    assert used_steps(store) == 0
