"""One tab: calls that end, loading, and the walker's isolated world.

Guarantees: every wait is bounded; a hung page raises EpisodeFault(ACTION_TIMEOUT), a crashed tab
EpisodeFault(OBSERVATION), a dead browser EpisodeFault(HOST_LOST); the session makes results of the
former two (`trouble.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import orjson

from envs.browser.chooser import Chooser
from envs.browser.chromium import DROP_DOWNS, WALKER
from envs.browser.page_events import WORLD, PageEvents, Redact
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_url import BLANK, is_page_url
from envs.io.cdp import CdpClosed, CdpConnection, CdpError, CdpTimeout, Json

LOAD_TIMEOUT_S = 10.0
EVALUATE_TIMEOUT_S = 8.0
REQUESTED_ONLY_S = 0.5
"""A navigation that was asked for but did not start within this time is taken as dropped."""
START_LIMIT_S = 10.0
"""For the first page of a task and all that it loads: no episode begins on half of it because the
machine is busy."""


class Page:
    """Create with `open`. `session` is the CDP session id of the tab. A `paced` one draws a frame
    only when told to. All that the page says passes through `redact`."""

    def __init__(
        self,
        connection: CdpConnection,
        target: str,
        session: str,
        paced: bool = False,
        redact: Redact | None = None,
    ) -> None:
        self.connection = connection
        self.paced = paced
        self.target = target
        self.session = session
        self.redact: Redact = redact or (lambda said: said)
        # The main frame has the id of the tab.
        self.events = PageEvents(target, self.redact, self._leave)

    @property
    def dialog(self) -> str | None:
        """What the open dialog says; None without one."""
        return self.events.dialog

    @property
    def chooser(self) -> Chooser | None:
        """The open dialog's, where it asks for files."""
        return self.events.chooser

    @property
    def console(self) -> list[str]:
        """The last lines that its scripts wrote."""
        return self.events.console

    @classmethod
    async def open(
        cls,
        connection: CdpConnection,
        context: str,
        width: int,
        height: int,
        paced: bool = False,
        redact: Redact | None = None,
    ) -> Page:
        """A new blank tab in a browser context."""
        parameters: Json = {
            "url": "about:blank",
            "browserContextId": context,
            "width": width,
            "height": height,
        }
        if paced:
            parameters["enableBeginFrameControl"] = True
        created = await connection.call("Target.createTarget", parameters)
        return await cls.attach(connection, created["targetId"], width, height, paced, redact)

    @classmethod
    async def attach(
        cls,
        connection: CdpConnection,
        target: str,
        width: int,
        height: int,
        paced: bool = False,
        redact: Redact | None = None,
    ) -> Page:
        """Attaches to a tab that exists."""
        attached = await connection.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        page = cls(connection, target, attached["sessionId"], paced, redact)
        # Before the domains are enabled: enabling reports the document that is there already.
        connection.on_events(page.session, page.events.hear)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        script = WALKER + DROP_DOWNS if paced else WALKER
        enabled = asyncio.gather(
            page._send("Page.enable"),
            page._send("Runtime.enable"),
            # Response bodies are never read: with buffers of 0 Chromium does not keep them.
            page._send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            page._send("Inspector.enable"),
            # A field for files then opens no dialog, which no action could answer, but tells.
            page._send("Page.setInterceptFileChooserDialog", {"enabled": True}),
            page._send("Emulation.setDeviceMetricsOverride", metrics),
            # Tabs of other sessions share the process: each behaves as if it had the focus.
            page._send("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            page._send(
                "Page.addScriptToEvaluateOnNewDocument",
                # A world of its own: pages neither see the walker nor can they replace what it
                # calls. It runs in the present document too, and in each one that follows.
                {"source": script, "worldName": WORLD, "runImmediately": True},
            ),
        )
        try:
            await asyncio.wait_for(enabled, LOAD_TIMEOUT_S)
        except TimeoutError:
            connection.on_events(page.session, None)
            raise CdpTimeout(f"a tab did not answer within {LOAD_TIMEOUT_S:g} s") from None
        return page

    def _send(self, method: str, params: Json | None = None) -> asyncio.Future[Json]:
        return self.connection.send(method, params, self.session)

    async def call(
        self, method: str, params: Json | None = None, timeout_s: float = EVALUATE_TIMEOUT_S
    ) -> Json:
        """A CDP call whose infrastructure faults are typed; other errors stay CdpError."""
        (result,) = await self.pipeline([(method, params)], timeout_s)
        return result

    async def pipeline(
        self, calls: list[tuple[str, Json | None]], timeout_s: float = EVALUATE_TIMEOUT_S
    ) -> list[Json]:
        """Sends all calls at once, then waits for all replies. An open dialog ends the wait early:
        the page cannot answer before it is handled; missing replies are then empty."""
        self.events.check_crash()
        try:
            replies = [self._send(method, params) for method, params in calls]
        except CdpClosed as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        try:
            async with asyncio.timeout(timeout_s):
                return await self._gather(replies)
        except (TimeoutError, CdpTimeout) as error:
            self.events.check_crash()
            what = ", ".join(sorted({method for method, _ in calls}))
            raise EpisodeFault(
                InvalidReason.ACTION_TIMEOUT, f"the page did not answer {what} in {timeout_s:g} s"
            ) from error
        except CdpClosed as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        finally:
            # A reply that comes later finds nobody: its future is cancelled and the connection
            # drops it.
            for reply in replies:
                if not reply.done():
                    reply.cancel()

    async def _gather(self, replies: list[asyncio.Future[Json]]) -> list[Json]:
        # Exceptions are results here: one call that fails must not hide the replies of the others.
        everything = asyncio.gather(*replies, return_exceptions=True)
        if self.dialog is None:
            blocked = self.events.blocked
            await asyncio.wait((everything, blocked), return_when=asyncio.FIRST_COMPLETED)
            self.events.check_crash()
        results: list[Json] = []
        for reply in replies:
            results.append(reply.result() if reply.done() and not reply.cancelled() else {})
        return results

    async def evaluate(self, expression: str, timeout_s: float = EVALUATE_TIMEOUT_S) -> Any:
        """Runs our own expression in the walker's world. Raises CdpError when the document goes."""
        if self.events.context is None:
            raise CdpError("no document")
        return await self._value(expression, timeout_s, contextId=self.events.context)

    async def run(self, expression: str) -> Any:
        """Runs a gym's expression in the page's own world. Raises CdpError if it fails."""
        await self.wait_loaded()
        return await self._value(expression, EVALUATE_TIMEOUT_S)

    def evaluate_unawaited(self, expression: str, **world: int) -> None:
        """Runs an expression before what is sent next, in the page's own world if no other is
        given. Its errors are dropped: the document may go away first."""
        try:
            reply = self._send("Runtime.evaluate", {"expression": expression, **world})
        except CdpClosed as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        # Reading the exception keeps asyncio from reporting it as never retrieved.
        reply.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _value(self, expression: str, timeout_s: float, **world: int) -> Any:
        parameters = {
            "expression": expression,
            "awaitPromise": True,
            "returnByValue": True,
            **world,
        }
        reply = await self.call("Runtime.evaluate", parameters, timeout_s)
        if "exceptionDetails" in reply:
            text = self.redact(_exception_text(reply["exceptionDetails"]))[:300]
            raise CdpError(f"script failed: {text}")
        return self.redact(reply.get("result", {}).get("value"))

    async def walker(self, function: str, *arguments: Any) -> Any:
        """Calls a function of walker.js with JSON arguments, in the current document."""
        passed = ",".join(orjson.dumps(argument).decode() for argument in arguments)
        # The document may be replaced between waiting and calling; the new one is asked then.
        for _ in range(3):
            await self.wait_loaded()
            with contextlib.suppress(CdpError):
                return await self.evaluate(f"__dh.{function}({passed})")
        raise EpisodeFault(InvalidReason.OBSERVATION, f"the page gave no answer to {function}")

    async def wait_loaded(self) -> None:
        """Waits until no navigation is under way: the new document is there, its walker too."""
        loop, events = asyncio.get_running_loop(), self.events
        deadline = loop.time() + LOAD_TIMEOUT_S
        requested_until = loop.time() + REQUESTED_ONLY_S
        while events.dialog is None and (events.is_moving or events.context is None):
            events.check_crash()
            limit = deadline
            if events.is_requested and not events.is_loading:
                limit = min(limit, requested_until)
            try:
                async with asyncio.timeout_at(limit):
                    await events.wait_for_change()
            except TimeoutError:
                # The page asked for a document and dropped it: there is no event that says so.
                if events.is_requested and not events.is_loading:
                    events.is_requested = False
                    continue
                # Loading began, but its document does not come: the one that is there can be read.
                if events.context is not None:
                    events.is_loading = False
                    return
                raise EpisodeFault(
                    InvalidReason.ACTION_TIMEOUT, f"the page did not load in {LOAD_TIMEOUT_S:g} s"
                ) from None

    async def wait_complete(self) -> bool:
        """Waits until the document has loaded with all that it asks for, or a dialog is open. False
        after START_LIMIT_S: it can be read as it is."""
        until = asyncio.get_running_loop().time() + START_LIMIT_S
        await self.wait_loaded()
        if self.dialog is None:
            loaded = f"__dh.whenLoaded({START_LIMIT_S * 1000:.0f})"
            with contextlib.suppress(CdpError):  # it went to another page, which is waited for next
                await self.evaluate(loaded, START_LIMIT_S + 2)
            await self.wait_loaded()
            await self.wait_for_requests(until)
        return self.dialog is not None or await self.evaluate("document.readyState") == "complete"

    async def wait_for_requests(self, until: float) -> None:
        """Waits until no request is under way, a navigation starts, or the time is up."""
        events = self.events
        try:
            async with asyncio.timeout_at(until):
                while events.requests and not events.is_loading and events.dialog is None:
                    events.check_crash()
                    await events.wait_for_change()
        except TimeoutError:
            events.requests.clear()  # a long poll: it is not waited for a second time

    async def navigate(self, url: str) -> str | None:
        """Goes to an absolute URL; gives the error text if it could not, or may not."""
        if not is_page_url(url):
            return "only web pages are opened"
        # Set before the call: `wait_loaded` must not return before the event that loading began.
        self.events.is_loading = True
        try:
            reply = await self.call("Page.navigate", {"url": url}, LOAD_TIMEOUT_S)
        except CdpError as error:
            self.events.is_loading = False
            return str(error)[:200]
        if "errorText" in reply or "loaderId" not in reply:
            self.events.is_loading = False
        text: str | None = reply.get("errorText")
        return text

    async def handle_dialog(self, accept: bool, text: str | None) -> None:
        """Answers an open alert, confirm or prompt dialog."""
        params: Json = {"accept": accept}
        if text is not None:
            params["promptText"] = text
        # Before the call: `pipeline` ends early while a dialog is open, and would end this very
        # call.
        events = self.events
        events.dialog, chooser, events.chooser = None, events.chooser, None
        if chooser is not None:
            return
        with contextlib.suppress(CdpError):
            await self.call("Page.handleJavaScriptDialog", params)

    async def close(self) -> None:
        """Closes the tab."""
        self.connection.on_events(self.session, None)
        with contextlib.suppress(CdpError):
            await self.connection.call("Target.closeTarget", {"targetId": self.target}, "", 5)

    def _leave(self) -> None:
        reply = self._send("Page.navigate", {"url": BLANK})
        reply.add_done_callback(lambda done: done.cancelled() or done.exception())


def _exception_text(details: Json) -> str:
    text: str = details.get("exception", {}).get("description") or details.get("text", "")
    return text
