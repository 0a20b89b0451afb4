"""Commands on the desktop: bash and Python, as the desktop's user. Gated.

Guarantees: a command ends within its time limit or is killed with all its children; its output is
bounded and complete up to then, also when a program left in the background keeps it open.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from typing import Any

import psutil
from pydantic import Field

from envs.apps.files import paths
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


MAX_OUTPUT = 20_000
"""Characters of a command's output."""
MAX_SECONDS = 50
LEFT_S = 0.2
"""How long the output may still come once the command has ended."""
TIMEOUT = Field(8.0, gt=0, le=MAX_SECONDS, description="seconds until the command is killed")
_drains: set[asyncio.Task[None]] = set()


@TOOLS.tool("shell.run", timeout_s=MAX_SECONDS + 5, gated=True)
async def run(
    desktop: Desktop, command: str, timeout_s: float = TIMEOUT, cwd: str = "~"
) -> dict[str, Any]:
    """Runs a command with bash, to its end, and returns its exit code and its output (what it
    wrote as errors too). For a program that goes on by itself use processes.start."""
    return await execute(desktop, ["/bin/bash", "-c", command], timeout_s, cwd)


@TOOLS.tool("python.run", timeout_s=MAX_SECONDS + 5, gated=True)
async def run_python(
    desktop: Desktop, code: str, timeout_s: float = TIMEOUT, cwd: str = "~"
) -> dict[str, Any]:
    """Runs a Python 3 program in a process of its own; returns its exit code and what it
    printed."""
    return await execute(desktop, ["/usr/bin/python3", "-c", code], timeout_s, cwd)


async def execute(
    desktop: Desktop, command: Sequence[str], timeout_s: float, cwd: str
) -> dict[str, Any]:
    """Raises ToolError when the folder or the program is missing."""
    folder = paths.folder(desktop, cwd)
    read, write = os.pipe()
    try:
        process = await desktop.processes.start(command, folder, log=write)
    except (OSError, ValueError) as error:
        os.close(read)
        raise ToolError(ActionError.TOOL_FAILED, f"{command[0]}: {error}"[:300]) from error
    finally:
        os.close(write)
    kept = bytearray()
    drain = asyncio.create_task(_drain(read, kept))
    # A background program goes on writing: somebody must read until it closes the pipe.
    _drains.add(drain)
    drain.add_done_callback(_drains.discard)
    timed_out = False
    try:
        async with asyncio.timeout(timeout_s):
            await process.wait()
    except TimeoutError:
        timed_out = True
    finally:
        if process.returncode is None:
            kill_tree(process.pid)
            await process.wait()
    await asyncio.wait({drain}, timeout=LEFT_S)
    text = kept.decode("utf-8", "replace")
    answer: dict[str, Any] = {"exit_code": process.returncode, "output": text[:MAX_OUTPUT]}
    if len(text) > MAX_OUTPUT:
        answer["cut"] = True
    if timed_out:
        answer |= {"exit_code": None, "timed_out": True}
    return answer


def kill_tree(pid: int) -> int:
    """Kills a process and all that descends from it; how many."""
    try:
        top = psutil.Process(pid)
        family = [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.send_signal(signal.SIGKILL)
    return len(family)


async def _drain(descriptor: int, kept: bytearray) -> None:
    """Reads to the end; keeps what fits."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    pipe = os.fdopen(descriptor, "rb", 0)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    try:
        while piece := await reader.read(65536):
            kept += piece[: 4 * MAX_OUTPUT + 4 - len(kept)]
    finally:
        transport.close()
