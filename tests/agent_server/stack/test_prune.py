"""`prune` counts, removes when it is told to, and leaves alone what is in use."""

from __future__ import annotations

import json
import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from typer.testing import CliRunner

from agent_server.cli.main import load_commands
from agent_server.settings import Settings
from agent_server.stack.prune import ORPHAN_S, prune
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.engine import table_of
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run, utcnow
from envs.contract.outcomes import Status

OLD = utcnow() - timedelta(days=40)


def record(settings: Settings, store: Store, name: str, run_id: str = "api") -> None:
    """A task of the API that ended long ago, with files."""
    store.episodes.create([Episode(id=name, run_id=run_id, purpose="api", task={"id": name})])
    with Recorder(Artifacts(settings.artifacts), name) as recorder:
        recorder.save_evidence(b"x" * 1000)
    episode = table_of(Episode)
    values = {"status": Status.SCORED, "finished_at": OLD}
    with store.engine.begin() as db:
        db.execute(update(episode).where(episode.c.id == name).values(**values))


def publish(run_dir: Path, count: int, live: int) -> None:
    policy = run_dir / "policy"
    for version in range(count):
        folder = policy / f"v{version:06d}"
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(b"x" * 100)
        parent = max(version - 1, 0)
        (folder / "manifest.json").write_text(json.dumps({"version": version, "parent": parent}))
    (policy / "live").symlink_to(f"v{live:06d}")


def names(run_dir: Path) -> list[int]:
    return sorted(int(folder.name[1:]) for folder in (run_dir / "policy").glob("v*"))


@pytest.fixture
def run_settings(tmp_path: Path) -> Settings:
    return Settings(run_dir=tmp_path / "runs" / "mine")


def test_nothing_is_removed_unless_told(run_settings: Settings) -> None:
    with Store.open(run_settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        record(run_settings, store, "e1")
        publish(run_settings.run_dir, 9, live=8)
        (listed, *_) = prune(run_settings, store, apply=False)
        assert (listed.count, listed.size) == (1, 1000)
        assert store.episodes.get("e1") is not None
        assert len(names(run_settings.run_dir)) == 9
        assert prune(run_settings, store, apply=True)[0] == listed
        assert store.episodes.get("e1") is None
        assert Artifacts(run_settings.artifacts).read_evidence("e1") is None
        assert [line.count for line in prune(run_settings, store, apply=True)] == [0, 0, 0, 0]


def test_versions_that_anything_needs_are_kept(run_settings: Settings) -> None:
    run_dir = run_settings.run_dir
    publish(run_dir, 20, live=12)
    checkpoint = run_dir / "checkpoints" / "step-000001"
    checkpoint.mkdir(parents=True)
    (checkpoint / "manifest.json").write_text(json.dumps({"step": 1, "version": 4}))
    evaluation = run_dir.parent / "evaluated"
    evaluation.mkdir()
    stamp = {"policy": {"folder": str(run_dir / "policy" / "v000002")}}
    (evaluation / "evaluation.json").write_text(json.dumps({"stamp": stamp}))
    with Store.open(run_settings) as store:
        versions = prune(run_settings, store, apply=True)[-1]
    assert names(run_dir) == [2, 4, 11, 12, 15, 16, 17, 18, 19]
    assert (versions.count, versions.size > 1100) == (11, True)


def test_a_checkpoint_that_names_no_version_keeps_all(run_settings: Settings) -> None:
    publish(run_settings.run_dir, 9, live=8)
    checkpoint = run_settings.run_dir / "checkpoints" / "step-000001"
    checkpoint.mkdir(parents=True)
    (checkpoint / "manifest.json").write_text(json.dumps({"step": 1}))
    with Store.open(run_settings) as store:
        versions = prune(run_settings, store, apply=True)[-1]
    assert (versions.count, len(names(run_settings.run_dir))) == (0, 9)
    assert "does not say which version" in versions.detail


def test_folders_that_a_killed_prune_left_go_and_new_ones_stay(run_settings: Settings) -> None:
    artifacts = Artifacts(run_settings.artifacts)
    with Store.open(run_settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        for name in ("e1", "e2", "e3"):
            with Recorder(artifacts, name) as recorder:
                recorder.save_evidence(b"x")
        store.episodes.create([Episode(id="e3", run_id="api", purpose="api", task={})])
        past = time.time() - ORPHAN_S - 60
        for name in ("e1", "e3"):
            os.utime(run_settings.run_dir / "episodes" / name, (past, past))
        assert prune(run_settings, store, apply=True)[1].count == 1
    left = sorted(folder.name for folder in (run_settings.run_dir / "episodes").iterdir())
    assert left == ["e2", "e3"]


def test_it_may_run_while_tasks_are_submitted_and_run(run_settings: Settings) -> None:
    """Each task is large and equal, so all refer to one body."""
    task = {"id": "large", "instruction": "x" * 20_000}
    stop, failures = threading.Event(), list[str]()

    def work() -> None:
        with Store.open(run_settings) as store:
            number = 0
            while not stop.is_set():
                number += 1
                row = Episode(id=f"w{number}", run_id="api", purpose="api", task=dict(task))
                store.episodes.create([row])
                leased = store.episodes.lease(row.id, "worker")
                if leased is None or leased.task != task:
                    failures.append(row.id)
                episode = table_of(Episode)
                values = {"status": Status.SCORED, "finished_at": OLD}
                with store.engine.begin() as db:
                    db.execute(update(episode).where(episode.c.id == row.id).values(**values))

    with Store.open(run_settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        worker = threading.Thread(target=work)
        worker.start()
        try:
            removed = 0
            deadline = time.monotonic() + 120
            while removed < 50 and time.monotonic() < deadline:
                removed += prune(run_settings, store, apply=True)[0].count
        finally:
            stop.set()
            worker.join(60)
    assert (failures, removed >= 50) == ([], True)


def test_the_command_lists_and_then_removes(run_settings: Settings) -> None:
    with Store.open(run_settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        record(run_settings, store, "e1")
    run = CliRunner()
    listed = run.invoke(load_commands(), ["prune", str(run_settings.run_dir)])
    assert "1 episodes" in listed.output, listed.output
    assert "nothing was removed" in listed.output
    removed = run.invoke(load_commands(), ["prune", str(run_settings.run_dir), "--yes"])
    assert "1 episodes" in removed.output
    again = run.invoke(load_commands(), ["prune", str(run_settings.run_dir)])
    assert "0 episodes" in again.output
    missing = run.invoke(load_commands(), ["prune", str(run_settings.run_dir / "other")])
    assert missing.exit_code == 2
