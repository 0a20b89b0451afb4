"""An application's server in a box of bubblewrap, reached by a Unix socket.

Guarantees: the server ends with this process; one that has ended is started again at the next
request, at most MAX_STARTS times.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from envs.gyms.real.box import box_options
from envs.gyms.server.gym import ApplicationFailed
from envs.io.child_process import die_with_parent, stop_group

ENTRY = Path(__file__).with_name("entry.py")
PORT = 8080
START_S = 30.0
MAX_STARTS = 5
_POLL_S = 0.05
_SOCKET = "app.sock"
_ENTRY_INSIDE = "/run/entry.py"
_SOCKETS_INSIDE = "/run/app"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerCommand:
    """How to start a server inside the box, on 127.0.0.1:PORT. `files`: what it may read besides
    the system, by its path inside; `probe`: a path that it answers once it is up."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    probe: str = "/"


class ServerBox:
    """One server. `start` before the first request, `stop` at the end."""

    def __init__(self, command: ServerCommand, data: Path, sockets: Path) -> None:
        self._command, self._data, self._sockets = command, data, sockets
        self._process: asyncio.subprocess.Process | None = None
        self._http: aiohttp.ClientSession | None = None
        self._lock = asyncio.Lock()
        self._starts = 0

    async def start(self) -> aiohttp.ClientSession:
        """A client of the running server; starts it where it does not run. Raises
        ApplicationFailed."""
        async with self._lock:
            if self._process is not None and self._process.returncode is None:
                assert self._http is not None
                return self._http
            if self._starts >= MAX_STARTS:
                raise ApplicationFailed(f"the server ended {MAX_STARTS} times; see its log")
            self._starts += 1
            await self._close_client()
            await self._spawn()
            assert self._http is not None
            return self._http

    async def stop(self) -> None:
        """Ends the server and all that it started."""
        await self._close_client()
        if self._process is not None:
            await stop_group(self._process)

    async def _close_client(self) -> None:
        if self._http is not None:
            await self._http.close()

    async def _spawn(self) -> None:
        socket = self._sockets / _SOCKET
        socket.unlink(missing_ok=True)
        with (self._sockets / "server.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._box_command(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        connector = aiohttp.UnixConnector(str(socket), limit=0, force_close=True)
        # Cookies are kept with each session; a jar here would mix those of all.
        self._http = aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
        )
        try:
            async with asyncio.timeout(START_S):
                while not await self._answers(self._http):
                    if self._process.returncode is not None:
                        raise ApplicationFailed(f"the server ended at its start; see {log.name}")
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            await stop_group(self._process)
            raise ApplicationFailed(f"the server did not answer within {START_S:g} s") from None

    async def _answers(self, http: aiohttp.ClientSession) -> bool:
        with contextlib.suppress(aiohttp.ClientError, OSError):
            async with http.get(f"http://application{self._command.probe}"):
                return True
        return False

    def _box_command(self) -> list[str]:
        line = box_options(self._data, self._command.files, self._command.environment)
        line += ["--ro-bind", str(ENTRY), _ENTRY_INSIDE]
        line += ["--bind", str(self._sockets), _SOCKETS_INSIDE]
        python = str(Path(sys.executable).resolve())
        entry = [python, "-I", "-S", _ENTRY_INSIDE, f"{_SOCKETS_INSIDE}/{_SOCKET}", str(PORT)]
        return [*line, *entry, *self._command.argv]
