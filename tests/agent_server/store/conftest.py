"""Every store test runs on SQLite, and on PostgreSQL where its server is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from agent_server.store.engine import make_engine
from agent_server.store.store import Store
from agent_server.store.tables import Run
from tests.agent_server.store.hand_clock import Clock

BINARIES = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A private cluster on a loopback port, owned by an unprivileged user."""
    if not (BINARIES / "initdb").exists():
        pytest.skip(f"no PostgreSQL in {BINARIES}: apt-get install postgresql-15")
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    as_user = {"user": user, "group": user} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="deskhand-pg-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, user, user)
        data = folder / "data"
        subprocess.run(
            [BINARIES / "initdb", "-D", data, "-U", "deskhand", "-A", "trust", "--no-sync"],
            check=True, capture_output=True, timeout=60, cwd="/", **as_user,
        )  # fmt: skip
        server = subprocess.Popen(
            [
                BINARIES / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1",
                "-k", folder, "-c", "fsync=off", "-c", "shared_buffers=16MB",
            ],
            stdout=subprocess.DEVNULL, stderr=(folder / "log").open("wb"), cwd="/", **as_user,
        )  # fmt: skip
        try:
            ready = ["pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
            for _ in range(100):
                if subprocess.run([BINARIES / ready[0], *ready[1:]], timeout=10).returncode == 0:
                    break
            else:
                pytest.fail(f"PostgreSQL did not start: {(folder / 'log').read_text()[-500:]}")
            yield f"postgresql://deskhand@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait(timeout=20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.db'}"
    url: str = request.getfixturevalue("postgres")
    engine = make_engine(url)
    with engine.begin() as db:
        db.execute(text("DROP SCHEMA public CASCADE"))
        db.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database_url: str, clock: Clock) -> Iterator[Store]:
    with Store(database_url, lease_s=20, clock=clock) as opened:
        opened.runs.create(Run(id="run", kind="train"))
        yield opened
