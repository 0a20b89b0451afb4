"""Logged-in state put into a browser context, and read from it.

Guarantees: no request is sent for it: where a page of an origin is needed, the browser is given an
empty one in the place of the site's, in a tab of its own that no page can reach. Values are handed
over as arguments and stand in no page's script.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Self

import orjson
from pydantic import ValidationError

from envs.browser.tabs import Tabs
from envs.contract.browser_state import BrowserState, Cookie, Item, OriginState
from envs.contract.outcomes import EpisodeFault
from envs.io.cdp import CdpConnection, CdpError, Json

_EMPTY: Json = {
    "responseCode": 200,
    "responseHeaders": [{"name": "Content-Type", "value": "text/html"}],
}
_READ = "JSON.stringify(Object.entries(localStorage))"
MAX_ORIGINS = 30
"""Of one context, whose localStorage is read."""


async def put_state(connection: CdpConnection, tabs: Tabs, state: BrowserState) -> None:
    """Into the context of the tabs, which holds none yet. Raises EpisodeFault, CdpError."""
    if state.cookies:
        cookies = [cookie.model_dump(exclude_none=True) for cookie in state.cookies]
        # -1 means "ends with the browser" where cookies are read, and a time where they are set.
        for cookie in cookies:
            if cookie["expires"] < 0:
                del cookie["expires"]
        context = {"browserContextId": tabs.context}
        await connection.call("Storage.setCookies", {"cookies": cookies, **context})
    kept = [each for each in state.origins if each.localStorage]
    if not kept:
        return
    async with _EmptyTab.opening(connection, tabs.context) as tab:
        for each in kept:
            await tab.go(each.origin)
            entries = orjson.dumps([[item.name, item.value] for item in each.localStorage]).decode()
            await tab.evaluate(
                f"void {entries}.forEach(([name, value]) => localStorage.setItem(name, value))"
            )


async def read_state(connection: CdpConnection, tabs: Tabs, origins: Iterable[str]) -> BrowserState:
    """Of the context of the tabs: all cookies, and localStorage of these origins and of those that
    its tabs have been on. Raises EpisodeFault, CdpError."""
    reply = await connection.call("Storage.getCookies", {"browserContextId": tabs.context})
    cookies = []
    for raw in reply["cookies"]:
        # One that is larger than cookies may be is none that a site could rely on.
        with contextlib.suppress(ValidationError):
            cookies.append(Cookie.model_validate(raw))
    visited = dict.fromkeys([*origins, *await _origins_of(tabs)])
    kept: list[OriginState] = []
    async with _EmptyTab.opening(connection, tabs.context) as tab:
        for origin in list(visited)[:MAX_ORIGINS]:
            with contextlib.suppress(CdpError, ValidationError):
                await tab.go(origin)
                entries = orjson.loads(await tab.evaluate(_READ))
                items = tuple(Item(name=name, value=value) for name, value in entries)
                if items:
                    kept.append(OriginState(origin=origin, localStorage=items))
    return BrowserState(cookies=tuple(cookies), origins=tuple(kept))


async def _origins_of(tabs: Tabs) -> list[str]:
    origins = []
    for page in tabs.pages:
        with contextlib.suppress(CdpError, EpisodeFault):
            history = await page.call("Page.getNavigationHistory")
            for entry in history.get("entries", ()):
                scheme, _, rest = entry["url"].partition("://")
                if scheme in ("http", "https"):
                    origins.append(f"{scheme}://{rest.split('/', 1)[0]}")
    return [origin for origin in origins if len(origin) < 260]


class _EmptyTab:
    """A tab on empty pages, whatever the sites would give."""

    def __init__(self, connection: CdpConnection, target: str, session: str) -> None:
        self._connection, self._target, self._session = connection, target, session

    @classmethod
    @asynccontextmanager
    async def opening(cls, connection: CdpConnection, context: str) -> AsyncIterator[Self]:
        """In this browser context, until the body ends."""
        created = await connection.call(
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": context, "background": True},
        )
        target = created["targetId"]
        attached = await connection.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        tab = cls(connection, target, attached["sessionId"])
        connection.on_events(tab._session, tab._on_event)
        try:
            await tab._call("Page.enable")
            # A worker that the site has left there would answer before the browser is asked.
            await tab._call("Network.enable")
            await tab._call("Network.setBypassServiceWorker", {"bypass": True})
            await tab._call("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
            yield tab
        finally:
            connection.on_events(tab._session, None)
            with contextlib.suppress(CdpError):
                await connection.call("Target.closeTarget", {"targetId": target})

    async def go(self, origin: str) -> None:
        """Raises CdpError."""
        reply = await self._call("Page.navigate", {"url": f"{origin}/"})
        if "errorText" in reply:
            raise CdpError(f"{origin}: {reply['errorText']}")

    async def evaluate(self, expression: str) -> Any:
        """Raises CdpError."""
        params = {"expression": expression, "returnByValue": True}
        reply = await self._call("Runtime.evaluate", params)
        if "exceptionDetails" in reply:
            # Its text could hold a value.
            raise CdpError("localStorage of an origin cannot be used")
        return reply["result"].get("value")

    async def _call(self, method: str, params: Json | None = None) -> Json:
        return await self._connection.call(method, params, self._session)

    def _on_event(self, method: str, params: Json) -> None:
        if method == "Fetch.requestPaused":
            with contextlib.suppress(CdpError):
                answer = {"requestId": params["requestId"], **_EMPTY}
                sent = self._connection.send("Fetch.fulfillRequest", answer, self._session)
                sent.add_done_callback(lambda done: done.cancelled() or done.exception())
