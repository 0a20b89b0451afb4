"""Processes of the desktop: list, start, signal, wait for what they bring about. Gated where a
command can be chosen.

Guarantees: only what was started on the desktop since the last reset is shown and can be signalled,
never the desktop itself; every wait ends at its time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import psutil
from pydantic import Field

from envs.apps.files import paths
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop import windows
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


MAX_LISTED = 200
MAX_SECONDS = 50
EVERY_S = 0.05
TIMEOUT = Field(8.0, gt=0, le=MAX_SECONDS, description="seconds")
Signal = Literal["TERM", "KILL", "INT", "HUP", "STOP", "CONT", "USR1", "USR2"]


@TOOLS.tool("processes.list")
async def list_processes(desktop: Desktop, containing: str | None = None) -> list[dict[str, Any]]:
    """Programs that run on the desktop, or those whose command contains a text: process id, name,
    command, memory in bytes, state. At most 200."""
    rows = []
    for process in desktop.processes.strays():
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.status() == psutil.STATUS_ZOMBIE:
                continue
            name = paths.printable(process.name())
            command = paths.printable(shlex.join(process.cmdline()))[:300]
            if containing is None or containing.lower() in f"{name} {command}".lower():
                rows.append(
                    {
                        "pid": process.pid,
                        "parent": process.ppid(),
                        "name": name,
                        "command": command,
                        "memory": process.memory_info().rss,
                        "state": process.status(),
                    }
                )
    return rows[:MAX_LISTED]


@TOOLS.tool("processes.start", gated=True)
async def start(desktop: Desktop, command: list[str], cwd: str = "~") -> dict[str, int]:
    """Starts a program that goes on by itself: the program and its arguments, each a text of its
    own. Returns its process id."""
    folder = paths.folder(desktop, cwd)
    if not command:
        raise ToolError(ActionError.BAD_VALUE, "the command is empty")
    try:
        return {"pid": (await desktop.processes.start(command, folder)).pid}
    except (OSError, ValueError) as error:
        message = f"{command[0][:100]!r} cannot be started: {error}"
        raise ToolError(ActionError.NOT_FOUND, message[:300]) from error


@TOOLS.tool("processes.signal", gated=True)
async def send(desktop: Desktop, pid: int, sign: Signal = "TERM") -> dict[str, int]:
    """Sends a signal to a program of the desktop; TERM asks it to end, KILL ends it."""
    for process in desktop.processes.strays():
        if process.pid == pid:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(getattr(signal, f"SIG{sign}"))
            return {"signalled": 1}
    raise ToolError(ActionError.NOT_FOUND, f"no program of the desktop has the process id {pid}")


@TOOLS.tool("processes.kill", gated=True)
async def kill(desktop: Desktop, program: str) -> dict[str, int]:
    """Ends all programs of exactly this name at once, unsaved work included; how many."""
    count = 0
    for process in desktop.processes.strays():
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.name() == program and process.status() != psutil.STATUS_ZOMBIE:
                process.kill()
                count += 1
    if not count:
        raise ToolError(
            ActionError.NOT_FOUND, f"no program of the desktop is called {program[:60]!r}"
        )
    return {"killed": count}


@TOOLS.tool("wait.port", timeout_s=MAX_SECONDS + 5)
async def wait_port(desktop: Desktop, port: int, timeout_s: float = TIMEOUT) -> dict[str, float]:
    """Waits until something on the desktop takes connections on a TCP port of 127.0.0.1."""
    if not 0 < port < 65536:
        raise ToolError(ActionError.BAD_VALUE, f"{port} is not a TCP port: ports are 1 to 65535")

    async def open_port() -> bool:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port, family=socket.AF_INET)
            writer.close()
            return True
        return False

    return await _until(open_port, timeout_s, f"nothing listens on port {port}")


@TOOLS.tool("wait.file", timeout_s=MAX_SECONDS + 5)
async def wait_file(desktop: Desktop, path: str, timeout_s: float = TIMEOUT) -> dict[str, float]:
    """Waits until a file exists and has stopped growing."""
    where = paths.resolve(desktop, path)
    sizes: list[int] = []

    async def there() -> bool:
        if not where.exists():
            sizes.clear()
            return False
        sizes.append(where.stat().st_size)
        return len(sizes) >= 3 and len(set(sizes[-3:])) == 1

    return await _until(there, timeout_s, f"{path[:200]} is not there or still grows")


@TOOLS.tool("wait.window", timeout_s=MAX_SECONDS + 5)
async def wait_window(
    desktop: Desktop, title: str, timeout_s: float = TIMEOUT, gone: bool = False
) -> dict[str, float]:
    """Waits until there is a window whose title contains this text (or whose program has this
    name), or with `gone` until there is none."""

    async def there() -> bool:
        return bool(windows.find_window(await desktop.windows(), title)) != gone

    what = "still there" if gone else "no window"
    return await _until(there, timeout_s, f"{what}: {title[:100]!r}")


async def _until(
    ready: Callable[[], Awaitable[bool]], timeout_s: float, what: str
) -> dict[str, float]:
    """Seconds waited. Raises ToolError at the time limit."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    try:
        async with asyncio.timeout(timeout_s):
            while not await ready():
                await asyncio.sleep(EVERY_S)
    except TimeoutError as error:
        message = f"{what} after {timeout_s:g} s"
        raise ToolError(ActionError.TOOL_FAILED, message) from error
    return {"waited_s": round(loop.time() - started, 3)}
