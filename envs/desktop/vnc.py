"""Viewers of a desktop: their tokens, and the one x11vnc that serves them.

Guarantees: x11vnc runs from the first viewer to the last, listens on a Unix socket in the desktop's
runtime folder only, and lives through resets; `end` takes all tokens back and disconnects all.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import xcffib.xtest

from envs.desktop.processes import Processes
from envs.desktop.x11 import X11

START_S, STOP_S = 10.0, 3.0
_KEY_RELEASE, _BUTTON_RELEASE = 3, 5
Pipe = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class NoViewer(Exception):
    """x11vnc is missing or does not start."""


@dataclass(frozen=True, slots=True, eq=False)
class Grant:
    """What one token allows: to look, and with `control` to take over."""

    token: str
    control: bool


def let_go(x11: X11) -> None:
    """Releases every key and button that is down, whoever pressed it: what x11vnc was told last may
    have ended with it. In the X thread."""
    core, test = x11.connection.core, x11.connection(xcffib.xtest.key)
    down = core.QueryKeymap().reply().keys
    for code in range(8, 256):
        if down[code // 8] >> code % 8 & 1:
            test.FakeInput(_KEY_RELEASE, code, 0, x11.root, 0, 0, 0)
    buttons = core.QueryPointer(x11.root).reply().mask >> 8
    for button in range(1, 6):
        if buttons >> (button - 1) & 1:
            test.FakeInput(_BUTTON_RELEASE, button, 0, x11.root, 0, 0, 0)
    x11.sync()


class Viewers:
    """Who may watch the desktop or control it, by token."""

    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}
        self._connections: dict[asyncio.Task[object], Grant] = {}
        self._server: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()

    def grant(self, control: bool) -> Grant:
        """A new token to watch, or to control."""
        grant = Grant(secrets.token_urlsafe(24), control)
        self._grants[grant.token] = grant
        return grant

    def find(self, token: str) -> Grant | None:
        """The grant of a token, if it is valid."""
        return self._grants.get(token)

    def watching(self, grant: Grant) -> bool:
        """Whether a viewer with this grant is connected."""
        return grant in self._connections.values()

    @contextlib.asynccontextmanager
    async def connect_viewer(
        self, grant: Grant, processes: Processes, folder: Path
    ) -> AsyncIterator[Pipe]:
        """A connection to x11vnc for the running task, which `end` cancels. Raises NoViewer."""
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = grant
        try:
            reader, writer = await self._open(processes, folder / "vnc.sock")
            try:
                yield reader, writer
            finally:
                writer.close()
        finally:
            del self._connections[task]
            await self._stop_unless_watched()

    async def _open(self, processes: Processes, socket: Path) -> Pipe:
        async with self._starting:
            if self._server is None or self._server.returncode is not None:
                socket.unlink(missing_ok=True)
                command = [
                    "x11vnc",
                    "-display",
                    processes.environment["DISPLAY"],
                    "-unixsock",
                    str(socket),
                    "-rfbport",
                    "0",
                    "-no6",
                    "-noipv6",
                    "-nopw",
                    "-shared",
                    "-forever",
                    "-norc",
                    "-noremote",
                    "-repeat",
                    "-nolookup",
                    "-nonap",
                    "-wait",
                    "20",
                    "-defer",
                    "10",
                    "-quiet",
                ]
                try:
                    self._server = await processes.start(command, keep=True)
                except FileNotFoundError as error:
                    raise NoViewer("x11vnc is missing: apt-get install x11vnc") from error
            try:
                async with asyncio.timeout(START_S):
                    while True:
                        with contextlib.suppress(FileNotFoundError, ConnectionError):
                            return await asyncio.open_unix_connection(str(socket))
                        if self._server.returncode is not None:
                            raise NoViewer(f"x11vnc ended with {self._server.returncode}")
                        await asyncio.sleep(0.02)
            except TimeoutError as error:
                raise NoViewer(f"x11vnc did not start in {START_S:g} s") from error

    async def _stop_unless_watched(self) -> None:
        async with self._starting:
            if self._connections or self._server is None:
                return
            server, self._server = self._server, None
            for end in (server.terminate, server.kill):
                with contextlib.suppress(ProcessLookupError):
                    end()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(server.wait(), STOP_S)
                    return

    async def end(self) -> None:
        """Revokes all grants and disconnects their viewers."""
        self._grants.clear()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_S)
