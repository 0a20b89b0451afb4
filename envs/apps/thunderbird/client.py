"""The line to the Thunderbird on the desktop: Marionette on the box's own loopback.

Guarantees: one lasting connection a desktop, made anew when Thunderbird was restarted; what runs in
Thunderbird are the fixed functions of this project, to which text goes as values.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from weakref import WeakKeyDictionary

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.desktop import Desktop
from envs.desktop.profiles.thunderbird import MARIONETTE_PORT

START_S = 40.0
CALL_S = 15.0
_POLL_S = 0.1
_LIMIT = 64 * 1024 * 1024
_OVER_TIME = "Thunderbird did not answer within {:g} s; it may be busy, or a dialog is open"
_lines: WeakKeyDictionary[Desktop, Thunderbird] = WeakKeyDictionary()
_locks: WeakKeyDictionary[Desktop, asyncio.Lock] = WeakKeyDictionary()


class Thunderbird:
    """A Marionette session; Thunderbird allows one at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._count = 0

    @classmethod
    async def connect(cls) -> Thunderbird:
        """Raises OSError when no Thunderbird listens, ToolError when it is not ready."""
        reader, writer = await asyncio.open_connection("127.0.0.1", MARIONETTE_PORT, limit=_LIMIT)
        line = cls(reader, writer)
        try:
            await asyncio.wait_for(line._receive(), CALL_S)
            await line._command("WebDriver:NewSession", capabilities={})
            await line._command("Marionette:SetContext", value="chrome")
        except BaseException:
            writer.close()
            raise
        return line

    async def _receive(self) -> Any:
        size = await self._reader.readuntil(b":")
        return json.loads(await self._reader.readexactly(int(size[:-1])))

    async def _command(self, name: str, **parameters: Any) -> Any:
        self._count += 1
        data = json.dumps([0, self._count, name, parameters]).encode()
        self._writer.write(f"{len(data)}:".encode() + data)
        await self._writer.drain()
        async with asyncio.timeout(CALL_S):
            while True:
                _, number, error, result = await self._receive()
                if number == self._count:
                    break
        if error:
            raise ToolError(ActionError.TOOL_FAILED, f"Thunderbird: {error['message'][:300]}")
        return result

    async def run(self, body: str, *values: Any) -> Any:
        """What the body of an async function returns, run in Thunderbird with `values` as `v`.
        Raises ToolError; a body's `throw "text"` is NOT_FOUND with that text."""
        script = (
            "const [v, done] = arguments;"
            f"(async () => {{ {body} }})().then((r) => done({{value: r ?? null}}),"
            "(e) => done(typeof e === 'string' ? {refused: e} : {broken: String(e)}));"
        )
        reply = await self._command(
            "WebDriver:ExecuteAsyncScript",
            script=script,
            args=[list(values)],
            sandbox="system",
            newSandbox=False,
        )
        result = reply["value"]
        if "refused" in result:
            raise ToolError(ActionError.NOT_FOUND, result["refused"])
        if "broken" in result:
            raise ToolError(ActionError.TOOL_FAILED, f"Thunderbird: {result['broken'][:300]}")
        return result["value"]

    def close(self) -> None:
        self._writer.close()


async def run(desktop: Desktop, body: str, *values: Any) -> Any:
    """See `Thunderbird.run`; starts Thunderbird when it does not run."""
    async with _locks.setdefault(desktop, asyncio.Lock()):
        line = _lines.get(desktop)
        if line is not None:
            try:
                return await line.run(body, *values)
            except (ConnectionError, asyncio.IncompleteReadError):
                line.close()
                del _lines[desktop]
            except TimeoutError:
                _lines.pop(desktop).close()
                raise ToolError(ActionError.TOOL_FAILED, _OVER_TIME.format(CALL_S)) from None
        line = _lines[desktop] = await _connect(desktop)
        return await line.run(body, *values)


async def _connect(desktop: Desktop) -> Thunderbird:
    started = False
    deadline = asyncio.get_running_loop().time() + START_S
    while asyncio.get_running_loop().time() < deadline:
        try:
            line = await Thunderbird.connect()
        except OSError:
            if not started:
                await desktop.launch("mail")
                started = True
        else:
            await _wait_ready(line)
            return line
        await asyncio.sleep(_POLL_S)
    raise ToolError(ActionError.TOOL_FAILED, f"Thunderbird did not start within {START_S:g} s")


async def _wait_ready(line: Thunderbird) -> None:
    """Its first window is there, and the accounts are loaded."""
    await line.run("""
      const until = Date.now() + 10000;
      while (Date.now() < until) {
        const window = Services.wm.getMostRecentWindow('mail:3pane');
        if (window?.document.readyState === 'complete' && window.gTabmail?.tabInfo?.length) return;
        await new Promise((r) => Cc['@mozilla.org/timer;1'].createInstance(Ci.nsITimer)
          .initWithCallback(r, 50, Ci.nsITimer.TYPE_ONE_SHOT));
      }
      throw 'Thunderbird shows no window';
    """)
