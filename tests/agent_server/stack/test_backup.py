"""A run is backed up while it works, and comes back whole, on SQLite and PostgreSQL."""

from __future__ import annotations

import os
import stat
import tarfile
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.settings import Settings
from agent_server.stack import backup as backups
from agent_server.stack.backup import BackupError, back_up, check, restore
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.engine import make_engine
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion, Run
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from tests.agent_server.store.conftest import postgres  # noqa: F401

DONE = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=0.5), steps=3)
LARGE = {"id": "t", "instruction": "x" * 20_000}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """A run with a few episodes, and files of all kinds."""
    url = "" if request.param == "sqlite" else make_empty(request, "source")
    settings = Settings(run_dir=tmp_path / "run", database_url=url)
    with Store.open(settings) as store:
        store.runs.create(Run(id="api", kind="serve", seed=2**40))
        store.keys.create("ci", "run", days=3)
        fields = {"run_id": "api", "version": 1, "path": "p", "sha256": "s", "status": "live"}
        store.runs.add_version(PolicyVersion(**fields))
        record(store, settings, [f"e{number}" for number in range(3)])
        store.episodes.create([Episode(id="open", run_id="api", purpose="api", task=LARGE)])
    folder = settings.run_dir
    (folder / "policy" / "v1").mkdir(parents=True)
    (folder / "policy" / "v1" / "weights").write_bytes(os.urandom(3000))
    (folder / "policy" / "live").symlink_to("v1")
    (folder / "stack.json").write_text("the keys of processes")
    (folder / "logs").mkdir()
    (folder / "logs" / "api.log").write_text("a log")
    return settings


def make_empty(request: pytest.FixtureRequest, name: str) -> str:
    server: str = request.getfixturevalue("postgres")
    engine = make_engine(server).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        db.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.rsplit("/", 1)[0] + f"/{name}"


def record(store: Store, settings: Settings, keys: list[str]) -> None:
    """Episodes as a worker leaves them: files first, then the row."""
    artifacts = Artifacts(settings.artifacts)
    for key in keys:
        store.episodes.create([Episode(id=key, run_id="api", purpose="api", task=LARGE)])
        assert store.episodes.lease(key, "w") is not None
        with Recorder(artifacts, key) as recorder:
            recorder.finish(DONE, {"run_id": "api"})
        assert store.episodes.finish(key, "w", DONE)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = "" if request.param == "sqlite" else make_empty(request, "target")
    return Settings(run_dir=tmp_path / "restored", database_url=url)


def rows_of(settings: Settings) -> list[dict[str, object]]:
    with Store.open(settings) as store:
        page = store.episodes.page(limit=1000)
        return [row.model_dump() for row in page.episodes]


def test_a_run_comes_back_as_it_was(source: Settings, target: Settings, tmp_path: Path) -> None:
    file = tmp_path / "run.tar.gz"
    made = back_up(source, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert made.rows["episode"] == 4
    assert check(file) == made == restore(file, target)
    assert rows_of(target) == rows_of(source)
    folder = target.run_dir
    live = folder / "policy" / "live"
    assert live.readlink() == Path("v1")
    assert (live / "weights").read_bytes() == (source.run_dir / "policy/v1/weights").read_bytes()
    assert not any((folder / name).exists() for name in ("stack.json", "logs", "broker"))
    with Store.open(target) as store:
        assert [key.name for key in store.keys.list_valid()] == ["ci"]
        assert Artifacts(target.artifacts).read_summary("e1") is not None
        leased = store.episodes.lease("open", "w")
        assert leased is not None
        assert leased.task == LARGE
        # New rows do not collide with those that were restored.
        fields = {"run_id": "api", "version": 2, "path": "p", "sha256": "s"}
        store.runs.add_version(PolicyVersion(**fields))


def test_a_backup_under_load_loses_nothing_that_had_ended(source: Settings, tmp_path: Path) -> None:
    target = Settings(run_dir=tmp_path / "restored")
    is_over, ended = threading.Event(), []

    def work() -> None:
        with Store.open(source) as store:
            while not is_over.is_set():
                key = f"load{len(ended)}"
                record(store, source, [key])
                ended.append(key)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        while len(ended) < 5:
            time.sleep(0.01)
        before = list(ended)
        back_up(source, tmp_path / "run.tar.gz")
    finally:
        is_over.set()
        thread.join()
    restore(tmp_path / "run.tar.gz", target)
    artifacts = Artifacts(target.artifacts)
    rows = {str(row["id"]): row for row in rows_of(target)}
    assert set(before) <= rows.keys()
    scored = [key for key, row in rows.items() if row["status"] is Status.SCORED]
    assert all(artifacts.read_summary(key) is not None for key in scored)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    settings = Settings(run_dir=tmp_path / "plain")
    with Store.open(settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        record(store, settings, ["e"])
    back_up(settings, tmp_path / "plain.tar.gz")
    return tmp_path / "plain.tar.gz"


@pytest.mark.parametrize("harm", ["cut", "flipped", "checksum", "text", "empty"])
def test_a_backup_that_was_harmed_is_refused(file: Path, tmp_path: Path, harm: str) -> None:
    content = bytearray(file.read_bytes())
    match harm:
        case "cut":
            content = content[: len(content) // 2]
        case "flipped":
            content[len(content) // 2] ^= 1
        case "checksum":
            content[-6] ^= 1
        case "text":
            content = bytearray(b"no backup")
        case _:
            content = bytearray()
    file.write_bytes(content)
    with pytest.raises(BackupError):
        restore(file, Settings(run_dir=tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_a_member_that_was_exchanged_is_named(file: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged.tar.gz"
    with tarfile.open(file) as old, tarfile.open(forged, "w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            if member.name.endswith("summary.json"):
                member.name = member.name.replace("/e/", "/f/")
            new.addfile(member, content)
    with pytest.raises(BackupError, match=r"summary\.json is not what was backed up"):
        check(forged)


def test_nothing_is_written_over(file: Path, tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path / "plain")
    with pytest.raises(BackupError, match="exists"):
        back_up(settings, file)
    with pytest.raises(BackupError, match="not empty"):
        restore(file, settings)
    used = Settings(run_dir=tmp_path / "new", database_url=settings.database)
    with pytest.raises(BackupError, match="the database is not empty"):
        restore(file, used)


def test_a_backup_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(Settings(run_dir=tmp_path / "run")):
        pass

    def fail(*_: object) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr(backups, "_pack", fail)
    with pytest.raises(BackupError, match="the disk is full"):
        back_up(Settings(run_dir=tmp_path / "run"), tmp_path / "run.tar.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_newer_schema_is_refused_in_words(file: Path, tmp_path: Path) -> None:
    described = check(file)
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}")
    with pytest.raises(backups.DumpError, match="schema 9999, which this version"):
        backups.prepare(engine, "9999")
    engine.dispose()
    assert described.revision
