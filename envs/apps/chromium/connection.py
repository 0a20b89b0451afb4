"""The connection to the Chromium on the desktop: DevTools protocol on the box's own loopback.

Guarantees: one lasting connection a desktop, made anew when Chromium was restarted; every call ends
within its time limit; text goes to a page as JSON values of fixed functions, never as code.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.parse
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from envs.apps.chromium.targets import fetch_command_url, fetch_tabs, make_client
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.desktop import Desktop
from envs.io.cdp import CdpClosed, CdpConnection, CdpError, CdpTimeout
from envs.io.json_client import CallFailed, JsonClient

CALL_S = 8.0
START_S = 25.0
POLL_S = 0.02
HIDDEN_S = 10.0
"""How long a hidden page is kept for the next call; longer than any call takes."""
TRACE = "about:blank#tool"
_connections: WeakKeyDictionary[Desktop, Chromium] = WeakKeyDictionary()


async def until(check: Callable[[], Awaitable[object]], limit_s: float) -> bool:
    """Whether `check` came true within the limit."""
    deadline = asyncio.get_running_loop().time() + limit_s
    while not await check():
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True


class ProtocolError(ToolError):
    """Chromium refused a command; the text is its own."""

    def __init__(self, message: str) -> None:
        super().__init__(ActionError.TOOL_FAILED, message)


class Chromium:
    """A connection. Not open any more once Chromium ended: see `open`."""

    def __init__(self, connection: CdpConnection, http: JsonClient) -> None:
        self._cdp, self._http = connection, http
        self._sessions: dict[str, str] = {}
        self._hidden: dict[str, str] = {}
        self._resting: asyncio.Task[None] | None = None
        connection.on_events("", self._on_event)
        self._watch = asyncio.create_task(self._close_when_ended())

    @classmethod
    async def connect(cls) -> Chromium:
        """Raises CallFailed or CdpClosed when no Chromium listens."""
        http = make_client()
        try:
            connection = await CdpConnection.connect(await fetch_command_url(http))
        except BaseException:
            await http.close()
            raise
        return cls(connection, http)

    @property
    def open(self) -> bool:
        """Whether Chromium still runs."""
        return not self._cdp.closed.is_set()

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.detachedFromTarget":
            detached = params["sessionId"]
            self._sessions = {t: s for t, s in self._sessions.items() if s != detached}

    async def _close_when_ended(self) -> None:
        await self._cdp.closed.wait()
        if self._resting is not None:
            self._resting.cancel()
        await self._cdp.close()
        await self._http.close()

    async def send(
        self, method: str, target: str | None = None, timeout_s: float = CALL_S, **parameters: Any
    ) -> dict[str, Any]:
        """The reply to one command, sent to a tab when `target` names one. Raises ProtocolError,
        or ToolError when the answer does not come."""
        session = "" if target is None else await self._session(target)
        try:
            return await self._cdp.call(method, parameters, session, timeout_s)
        except CdpTimeout as error:
            raise ToolError(
                ActionError.TOOL_FAILED,
                f"Chromium did not answer within {timeout_s:g} s; a dialog of the page may be open",
            ) from error
        except CdpClosed as error:
            raise ToolError(ActionError.TOOL_FAILED, "Chromium ended during the call") from error
        except CdpError as error:
            raise ProtocolError(str(error)) from error

    async def _session(self, target: str) -> str:
        if target not in self._sessions:
            reply = await self.send("Target.attachToTarget", targetId=target, flatten=True)
            self._sessions[target] = reply["sessionId"]
        return self._sessions[target]

    async def run(self, target: str, function: str, *values: Any, timeout_s: float = CALL_S) -> Any:
        """What a fixed JavaScript function returns in a tab, promises awaited. Raises
        ProtocolError with the message of what it threw."""
        arguments = ", ".join(json.dumps(value) for value in values)
        reply = await self.send(
            "Runtime.evaluate",
            target,
            timeout_s,
            expression=f"({function})({arguments})",
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in reply:
            thrown = reply["exceptionDetails"]
            text = thrown.get("exception", {}).get("description") or thrown.get("text", "")
            raise ProtocolError(text.split("\n")[0][:300])
        return reply["result"].get("value")

    async def pages(self) -> list[dict[str, Any]]:
        """Tabs as the user has them: id, title, url; the one used last first."""
        hidden = set(self._hidden.values())
        return [tab for tab in await fetch_tabs(self._http) if tab["id"] not in hidden]

    async def internal(self, url: str) -> str:
        """The id of a page of Chromium's own that no window shows. Chromium itself ends when
        chrome://settings is hidden: see `background` for that."""
        self._schedule_close()
        if url in self._hidden:
            with contextlib.suppress(ProtocolError):
                await self.run(self._hidden[url], "() => 1")
                return self._hidden[url]
        target = (await self.send("Target.createTarget", url=url, hidden=True))["targetId"]
        self._hidden[url] = target
        await self._wait_loaded(target)
        return str(target)

    def _schedule_close(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.create_task(self._close_idle())

    async def _close_idle(self) -> None:
        """Chromium goes on running for a hidden page when its last window is closed."""
        await asyncio.sleep(HIDDEN_S)
        hidden = [url for url, target in self._hidden.items() if url != target]
        for url in hidden:
            with contextlib.suppress(ToolError):
                await self.send("Target.closeTarget", targetId=self._hidden.pop(url))

    @contextlib.asynccontextmanager
    async def background(self, url: str) -> AsyncIterator[str]:
        """The id of a tab behind the user's, for pages that cannot be hidden. It ends as TRACE,
        by which it is known among the closed tabs."""
        target = (await self.send("Target.createTarget", url=url, background=True))["targetId"]
        self._hidden[target] = target
        try:
            await self._wait_loaded(target)
            yield target
        finally:
            with contextlib.suppress(ProtocolError):
                # Its answer may be lost with the page that it leaves.
                await self.run(target, f"() => location.replace('{TRACE}')")
            with contextlib.suppress(ProtocolError):
                has_left = "() => location.href.startsWith('about:')"
                await until(lambda: self.run(target, has_left), CALL_S)
            with contextlib.suppress(ProtocolError):
                await self.send("Target.closeTarget", targetId=target)
                await until(lambda: self._is_closed(target), CALL_S)
            del self._hidden[target]

    async def _is_closed(self, target: str) -> bool:
        targets = (await self.send("Target.getTargets"))["targetInfos"]
        return all(info["targetId"] != target for info in targets)

    async def _wait_loaded(self, target: str) -> None:
        ready = "() => location.href !== 'about:blank' && document.readyState === 'complete'"
        if not await until(lambda: self.run(target, ready), CALL_S):
            raise ToolError(ActionError.TOOL_FAILED, "a page of Chromium's own did not load")


async def running(desktop: Desktop) -> Chromium | None:
    """The connection when Chromium runs."""
    connection = _connections.get(desktop)
    if connection is not None and connection.open:
        return connection
    try:
        connection = await Chromium.connect()
    except (CallFailed, CdpClosed):
        return None
    _connections[desktop] = connection
    return connection


async def chromium(desktop: Desktop) -> Chromium:
    """The user's Chromium; started when it does not run. Raises ToolError."""
    connection = await running(desktop)
    if connection is not None:
        return connection
    await desktop.launch("chromium")

    async def ready() -> bool:
        started = await running(desktop)
        return started is not None and bool(await started.pages())

    if not await until(ready, START_S):
        raise ToolError(ActionError.TOOL_FAILED, f"Chromium did not start within {START_S:g} s")
    return _connections[desktop]


def address(text: str, home: Path) -> str:
    """What a person types, as a URL: a host gets http://, a path of the home folder file://.
    Raises ToolError for schemes that run code."""
    url = text.strip()
    if url.startswith(("~/", "/")):
        return (home / url.removeprefix("~/")).as_uri()
    scheme = urllib.parse.urlsplit(url).scheme.lower()
    if scheme in ("http", "https", "file", "chrome", "about", "view-source"):
        return url
    if scheme in ("javascript", "data", "vbscript", "blob"):
        raise ToolError(ActionError.BAD_VALUE, f"{scheme}: addresses are not opened; use http(s)")
    return f"http://{url}"
