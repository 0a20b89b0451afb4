"""Old rows go, whole chains at a time, and nothing that is needed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from agent_server.store.engine import table_of
from agent_server.store.retention import Retention
from agent_server.store.store import Store
from agent_server.store.tables import Episode, FollowUp, Group, Run, TaskWord, utcnow
from envs.contract.outcomes import Status

OLD = utcnow() - timedelta(days=40)
LARGE = {"id": "large", "instruction": "x" * 20_000}


def create_ended(store: Store, name: str, **values: Any) -> None:
    """An episode that ended long ago, unless the values say otherwise."""
    task, purpose = values.pop("task", {"id": name}), values.pop("purpose", "train")
    row = Episode(id=name, run_id="run", purpose=purpose, task=task)
    store.episodes.create([row])
    changes = {"status": Status.SCORED, "finished_at": OLD, "created_at": OLD} | values
    episode = table_of(Episode)
    with store.engine.begin() as db:
        db.execute(update(episode).where(episode.c.id == name).values(**changes))


def end_run(store: Store, run_id: str) -> None:
    run = table_of(Run)
    with store.engine.begin() as db:
        values = {"status": "finished", "finished_at": OLD}
        db.execute(update(run).where(run.c.id == run_id).values(**values))


def retention(store: Store, days: float = 30) -> Retention:
    return Retention(store.engine, utcnow() - timedelta(days=days))


def prune(store: Store) -> set[str]:
    kept = retention(store)
    before = kept.old_episodes()
    assert set(kept.delete_episodes(before)) == set(before)
    return set(before)


def test_a_run_keeps_its_episodes_until_it_has_finished(store: Store) -> None:
    create_ended(store, "e1")
    create_ended(store, "e2", purpose="eval")
    create_ended(store, "e3", finished_at=utcnow())
    for status in ("running", "interrupted", "failed"):
        store.runs.set_status("run", status)  # type: ignore[arg-type]
        assert prune(store) == set(), status
    store.runs.set_status("run", "finished")
    assert prune(store) == set(), "it may be looked at now"
    end_run(store, "run")
    assert prune(store) == {"e1"}
    assert [store.episodes.get(name) is None for name in ("e1", "e2", "e3")] == [True, False, False]


def test_tasks_of_the_api_go_as_whole_chains(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    api = {"run_id": "api", "purpose": "api"}
    create_ended(store, "e1", **api, status=Status.INVALID)
    create_ended(store, "e1.2", **api, root_id="e1", attempt=2)
    create_ended(store, "e2", **api, status=Status.INVALID)
    create_ended(
        store, "e2.2", **api, root_id="e2", attempt=2, status=Status.RUNNING, finished_at=None
    )
    create_ended(store, "e3", **api, finished_at=utcnow() - timedelta(days=2))
    assert prune(store) == {"e1", "e1.2"}
    assert store.episodes.get("e2") is not None


def test_what_has_just_ended_stays_whatever_is_asked(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    create_ended(store, "e1", run_id="api", purpose="api", finished_at=utcnow())
    assert retention(store, days=0).old_episodes() == []


def test_a_large_task_goes_with_the_last_episode_that_refers_to_it(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    create_ended(store, "e1", run_id="api", purpose="api", task=LARGE)
    create_ended(store, "e2", run_id="api", purpose="api", task=LARGE, finished_at=utcnow())
    kept = retention(store)
    assert kept.unused_bodies() == (0, 0)
    prune(store)
    assert kept.delete_unused_bodies() == 0
    leased = store.episodes.lease("e2", "w")
    assert leased is None
    create_ended(store, "e3", task={"id": "small"})
    episode = table_of(Episode)
    with store.engine.begin() as db:
        db.execute(update(episode).where(episode.c.id == "e2").values(finished_at=OLD))
    count, size = kept.unused_bodies()
    assert (count, size > 20_000) == (1, True), "what would be unused is told before"
    prune(store)
    assert kept.delete_unused_bodies() == 1
    assert kept.unused_bodies() == (0, 0)


def test_groups_go_with_their_last_member(store: Store) -> None:
    with store.engine.begin() as db:
        for name in ("g1", "g2"):
            row = Group(id=name, run_id="run", phase="", template="t", seed=0, size=1)
            db.execute(insert(table_of(Group)), [row.model_dump()])
    create_ended(store, "e1", group_id="g1")
    create_ended(store, "e2", group_id="g2", purpose="eval")
    end_run(store, "run")
    prune(store)
    statuses = store.episodes.group_statuses(["g1", "g2"])
    assert [status.group_id for status in statuses] == ["g2"]


@pytest.mark.parametrize("days", [0, 30])
def test_a_running_episode_is_never_old(store: Store, days: float) -> None:
    create_ended(store, "e1", status=Status.RUNNING, finished_at=None)
    end_run(store, "run")
    assert retention(store, days).old_episodes() == []


def test_words_and_follow_ups_of_a_task_go_with_it(store: Store) -> None:
    for name, finished_at in (("old", OLD), ("young", utcnow())):
        task = {"id": name, "instruction": "count"}
        create_ended(store, name, purpose="api", task=task, finished_at=finished_at)
        store.control.add_follow_up(name, "more")
    assert prune(store) == {"old"}
    with store.engine.begin() as db:
        for table in (table_of(TaskWord), table_of(FollowUp)):
            assert set(db.execute(select(table.c.root_id)).scalars()) == {"young"}
