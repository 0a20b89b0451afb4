"""The host's side of the office bridge: one bridge process a desktop, started when first needed.

Guarantees: a call ends within its tool's time limit; a bridge that does not answer is killed, and
the next call starts another. Calls of one desktop go one after the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import psutil

import envs
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.processes import Processes

PIPE = "deskhand"
PROGRAM = "soffice.bin"
SYSTEM_PYTHON = "/usr/bin/python3"
START_S = 9.0
STOPS_BEFORE_S = 0.3
"""A call that takes too long is stopped in LibreOffice so long before its time limit, so that the
reply says so and the bridge is kept."""
MAX_REPLY = 64 * 1024 * 1024
_ERRORS = {
    "not_found": ActionError.NOT_FOUND,
    "bad_value": ActionError.BAD_VALUE,
    "tool_failed": ActionError.TOOL_FAILED,
    "not_allowed": ActionError.NOT_ALLOWED,
}


class OfficeBridge:
    """Calls office tools in a bridge process of their own."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._calls = 0
        self._program: psutil.Process | None = None

    async def call(
        self, name: str, arguments: dict[str, Any], *, kind: str, timeout_s: float
    ) -> Any:
        """The value of an office tool; `kind` is what it works on: "office" itself, or an open
        document of an application. Raises ToolError."""
        async with self._lock:
            if not self._office_runs():
                if kind != "office":
                    raise ToolError(
                        ActionError.NOT_FOUND, f"no {kind} document is open: open one first"
                    )
                await self._start_office()
            try:
                async with asyncio.timeout(timeout_s):
                    # The event loop's clock is the machine's monotonic one.
                    gives_up_at = asyncio.get_running_loop().time() + timeout_s
                    return await self._ask(name, arguments, gives_up_at - STOPS_BEFORE_S)
            except TimeoutError:
                await self.drop()
                raise ToolError(
                    ActionError.TOOL_FAILED,
                    f"LibreOffice did not answer within {timeout_s:g} s; "
                    "it may be busy, or a dialog is open",
                ) from None
            except (ConnectionError, ValueError) as error:
                await self.drop()
                raise ToolError(
                    ActionError.TOOL_FAILED, f"the connection to LibreOffice broke: {error}"
                ) from error

    async def _ask(self, name: str, arguments: dict[str, Any], deadline: float) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await self._start_bridge()
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._calls += 1
        request = {"id": self._calls, "name": name, "arguments": arguments, "deadline": deadline}
        stdin.write(json.dumps(request).encode() + b"\n")
        await stdin.drain()
        line = await stdout.readline()
        if not line:
            raise ConnectionError("the bridge ended")
        reply = json.loads(line)
        if reply["id"] != self._calls:
            raise ConnectionError("the bridge answered another call")
        if not reply["ok"]:
            raise ToolError(_ERRORS[reply["reason"]], reply["message"])
        return reply["value"]

    async def _start_bridge(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await self._processes.spawn(
            [SYSTEM_PYTHON, "-m", "envs.apps.office.bridge", PIPE],
            cwd=None,
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL,
            environment={
                "PYTHONPATH": str(Path(envs.__file__).parents[1]),
                # It starts in the home folder: nothing is imported from there.
                "PYTHONSAFEPATH": "1",
                "PYTHONNOUSERSITE": "1",
            },
            limit=MAX_REPLY,
        )

    def _office_runs(self) -> bool:
        """The program found last is looked at first: searching for it takes milliseconds."""
        if self._program is not None and _runs(self._program):
            return True
        self._program = next(filter(_runs, self._processes.strays()), None)
        return self._program is not None

    async def _start_office(self) -> None:
        await self._processes.start(["soffice", "--nodefault"])
        deadline = asyncio.get_running_loop().time() + START_S
        while not self._office_runs():
            if asyncio.get_running_loop().time() > deadline:
                raise ToolError(ActionError.TOOL_FAILED, "LibreOffice did not start")
            await asyncio.sleep(0.02)

    async def drop(self) -> None:
        """Ends the bridge process; the next call starts another."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _runs(process: psutil.Process) -> bool:
    """Whether it is LibreOffice and alive."""
    try:
        return bool(process.name() == PROGRAM and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
