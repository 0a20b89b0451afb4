"""PostgreSQL and Redis of the campaign's own, as supervised children on loopback ports.

Guarantees: their data are in one folder; PostgreSQL runs as an unprivileged user where this process
is root. The database's clock can be stepped: `clock_timestamp()`, by which leases go, is replaced
by one with an offset.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg

from agent_server.stack.supervisor import Child

POSTGRES_FOLDERS = ("/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/bin")
MANY = 10**6
"""Restarts: a campaign kills what a life of years does not."""
STEPPED_CLOCK = """
CREATE TABLE IF NOT EXISTS public.bench_clock (offset_by interval NOT NULL);
INSERT INTO public.bench_clock SELECT interval '0' WHERE NOT EXISTS (SELECT FROM bench_clock);
CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT pg_catalog.clock_timestamp() + (SELECT offset_by FROM public.bench_clock) $$;
ALTER DATABASE postgres SET search_path = public, pg_catalog;
"""
STEP_CLOCK = "UPDATE public.bench_clock SET offset_by = offset_by + make_interval(secs => %s)"


class ServiceMissing(Exception):
    """PostgreSQL or Redis is not installed; the message names the package."""


@dataclass(frozen=True, slots=True)
class Postgres:
    """A private cluster below `folder`."""

    folder: Path
    port: int

    def url(self, port: int | None = None) -> str:
        """SQLAlchemy URL, at another port where a proxy stands before it."""
        return f"postgresql+psycopg://deskhand@127.0.0.1:{port or self.port}/postgres"

    def create(self) -> None:
        """Make the cluster. Raises ServiceMissing."""
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        # fsync: what a killed process wrote is in the kernel; only a dead machine would lose it.
        initdb = [*_as_user(), _binary("initdb"), "-D", str(self.folder / "data"), "-U", "deskhand"]
        initdb += ["-A", "trust", "--no-sync"]
        subprocess.run(initdb, check=True, capture_output=True, timeout=120, cwd="/")

    def child(self) -> Child:
        """The server, for a supervisor."""
        command = [
            "env",
            "--chdir=/",
            *_as_user(),
            _binary("postgres"),
            "-D",
            str(self.folder / "data"),
        ]
        command += ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.folder)]
        command += ["-c", "fsync=off", "-c", "shared_buffers=32MB", "-c", "max_connections=120"]
        return Child(
            name="postgres",
            command=command,
            environment={},
            log_path=self.folder.parent / "logs" / "postgres.log",
            ready=self.answers,
            max_restarts=MANY,
        )

    async def answers(self) -> bool:
        """Whether a client can log in."""
        try:
            await self.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    async def execute(self, statement: str, *values: object) -> None:
        """Run statements in a connection of their own. Raises psycopg.Error."""

        def run() -> None:
            with psycopg.connect(self._dsn, connect_timeout=5, autocommit=True) as db:
                db.execute(statement.encode(), values or None)

        await asyncio.to_thread(run)

    async def lock_episodes(self, seconds: float) -> None:
        """Hold the table of episodes, as a migration or a vacuum does. Raises psycopg.Error."""
        statement = "BEGIN; LOCK TABLE episode IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({}); END"
        await self.execute(statement.format(round(seconds, 3)))

    @property
    def _dsn(self) -> str:
        return f"postgresql://deskhand@127.0.0.1:{self.port}/postgres"


@dataclass(frozen=True, slots=True)
class Redis:
    """A broker that keeps nothing on disk: what it holds is lost when it ends."""

    folder: Path
    port: int

    def url(self, port: int | None = None) -> str:
        """Broker URL, at another port where a proxy stands before it."""
        return f"redis://127.0.0.1:{port or self.port}/0"

    def child(self) -> Child:
        """The server, for a supervisor. Raises ServiceMissing."""
        binary = shutil.which("redis-server")
        if binary is None:
            raise ServiceMissing("Redis is missing: apt-get install redis-server")
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [binary, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        return Child(
            name="redis",
            command=[*command, "--appendonly", "no", "--dir", str(self.folder)],
            environment={},
            log_path=self.folder.parent / "logs" / "redis.log",
            ready=self.answers,
            max_restarts=MANY,
        )

    async def answers(self) -> bool:
        """Whether it answers a ping."""
        try:
            return await asyncio.wait_for(self.command("PING"), 2) == b"+PONG\r\n"
        except (OSError, TimeoutError):
            return False

    async def command(self, *words: str) -> bytes:
        """The first line of the answer to a command. Raises OSError."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            pieces = [f"*{len(words)}\r\n".encode()]
            for word in words:
                pieces.append(f"${len(word.encode())}\r\n{word}\r\n".encode())
            writer.write(b"".join(pieces))
            await writer.drain()
            return await reader.readline()
        finally:
            writer.close()


def _binary(name: str) -> str:
    for folder in POSTGRES_FOLDERS:
        if (Path(folder) / name).exists():
            return f"{folder}/{name}"
    raise ServiceMissing("PostgreSQL is missing: apt-get install postgresql-15")


def _as_user() -> list[str]:
    """PostgreSQL refuses root. The signal at the parent's death is lost with the change of user,
    so it is asked for again."""
    if os.geteuid() != 0:
        return []
    entry = pwd.getpwnam("postgres")
    rights = [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    return ["setpriv", *rights, "--pdeathsig=TERM", "--"]
