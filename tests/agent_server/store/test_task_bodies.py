"""A large task is in the database once, whatever happens to its episodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import func, select

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.episodes import INLINE_BYTES, describe_task, make_reference, task_body
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task

MB = 2**20
LARGE = {"id": "large", "instruction": "look", "params": {"blob": "x" * 4 * MB}}
LOST = EpisodeResult.invalid(EpisodeFault(InvalidReason.RESET, "x"))


def episode(episode_id: str, task: dict[str, Any]) -> Episode:
    return Episode(id=episode_id, run_id="run", purpose="api", task=task)


def bodies(store: Store) -> int:
    with store.engine.connect() as db:
        return int(db.execute(select(func.count()).select_from(task_body)).scalar_one())


def test_all_attempts_of_a_large_task_share_one_copy(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'test.db'}") as store:
        store.runs.create(Run(id="run", kind="serve"))
        store.episodes.create([episode("e1", LARGE)])
        episode_id: str | None = "e1"
        for _ in range(4):
            assert episode_id is not None
            row = store.episodes.lease(episode_id, "w")
            assert row is not None
            assert row.task == LARGE
            for _ in range(3):
                store.episodes.renew([episode_id], "w")
            assert store.episodes.finish(episode_id, "w", LOST)
            episode_id = store.episodes.retry(episode_id)
        written = sum(file.stat().st_size for file in tmp_path.iterdir())
    # The body once in the database and once in its log; with a copy an attempt it was 15 times.
    assert written < 2.5 * 4 * MB


def test_trials_of_a_task_and_another_call_share_it_too(store: Store) -> None:
    store.episodes.create([episode(f"e{n}", LARGE) for n in range(20)])
    store.episodes.create([episode("again", dict(LARGE)), episode("small", {"id": "s"})])
    assert bodies(store) == 1
    rows = {row.id: row for row in store.episodes.page(run_id="run").episodes}
    assert describe_task(rows["again"].task) == ("large", "look")
    assert rows["small"].task == {"id": "s"}


def test_a_small_task_stays_in_its_row() -> None:
    task = {"id": "t", "instruction": "x" * (INLINE_BYTES - 100)}
    assert make_reference(task) is task
    assert describe_task(task) == ("t", task["instruction"])
    assert make_reference(make_reference(LARGE)) == make_reference(LARGE)


def test_a_reference_whose_body_is_gone_is_no_task(store: Store) -> None:
    store.episodes.create([episode("e1", LARGE)])
    with store.engine.begin() as db:
        db.execute(task_body.delete())
    row = store.episodes.lease("e1", "w")
    assert row is not None
    with pytest.raises(ValidationError):
        Task.model_validate(row.task)
