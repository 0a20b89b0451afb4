"""One tab: load state, the walker's isolated world, settling, and observing.

Guarantees: every wait is bounded; a hung page raises EpisodeFault(ACTION_TIMEOUT), a crashed tab
EpisodeFault(OBSERVATION), a dead browser EpisodeFault(HOST_LOST); the session makes results of the
former two (`trouble.py`). Settling waits for navigation,
requests and DOM mutations to be quiet, never for a fixed time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import orjson

from envs.browser.chooser import Chooser
from envs.browser.chromium import WALKER
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_url import BLANK, is_page_url
from envs.io.cdp import CdpClosed, CdpConnection, CdpError, CdpTimeout, Json

WORLD = "deskhand"
LOAD_TIMEOUT_S = 10.0
EVALUATE_TIMEOUT_S = 8.0
REQUESTED_ONLY_S = 0.5
"""A navigation that was asked for but did not start within this time is taken as dropped."""
START_LIMIT_S = 10.0
"""For the first page of a task and all that it loads: no episode begins on half of it because the
machine is busy."""
LOAD_LIMIT_MS = 4000
QUIET_LIMIT_MS = 400
CALM_MS = 120
"""A page is calm that has changed nothing for so long."""
CALM_LIMIT_MS = 2500
"""How long a page is waited for that does not calm down."""
NETWORK_LIMIT_S = 3.0
WALKS = 12
MAX_CONSOLE = 50
Redact = Callable[[Any], Any]

_ENDLESS = {"Document", "EventSource", "Media", "Ping", "Prefetch", "WebSocket"}
"""Requests that settling does not wait for; documents have their own events."""
_STARTED = {"Page.frameStartedLoading", "Page.frameStartedNavigating"}


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
        self._redact: Redact = redact or (lambda said: said)
        self.target = target
        self.session = session
        self.frame = target
        self.dialog: str | None = None
        self.chooser: Chooser | None = None
        """Open where `dialog` is about it."""
        self.console: list[str] = []
        self._context: int | None = None
        self._requested = False
        self._loading = False
        self._crashed = False
        self._requests: set[str] = set()
        self._answered = 0
        self._changed = asyncio.Event()
        self._blocked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done, and replaced, when the page stops answering: a dialog opened, or it crashed."""

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
        connection.on_events(page.session, page._on_event)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
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
                {"source": WALKER, "worldName": WORLD, "runImmediately": True},
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
        self._check_crash()
        try:
            replies = [self._send(method, params) for method, params in calls]
        except CdpClosed as error:
            raise EpisodeFault(InvalidReason.HOST_LOST, str(error)) from error
        try:
            async with asyncio.timeout(timeout_s):
                return await self._gather(replies)
        except (TimeoutError, CdpTimeout) as error:
            self._check_crash()
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
            await asyncio.wait((everything, self._blocked), return_when=asyncio.FIRST_COMPLETED)
            self._check_crash()
        results: list[Json] = []
        for reply in replies:
            results.append(reply.result() if reply.done() and not reply.cancelled() else {})
        return results

    async def evaluate(self, expression: str, timeout_s: float = EVALUATE_TIMEOUT_S) -> Any:
        """Runs our own expression in the walker's world. Raises CdpError when the document goes."""
        if self._context is None:
            raise CdpError("no document")
        return await self._value(expression, timeout_s, contextId=self._context)

    async def run(self, expression: str) -> Any:
        """Runs a gym's expression in the page's own world. Raises CdpError if it fails."""
        await self.wait_loaded()
        return await self._value(expression, EVALUATE_TIMEOUT_S)

    def _evaluate_unawaited(self, expression: str, **world: int) -> None:
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
            text = self._redact(_exception_text(reply["exceptionDetails"]))[:300]
            raise CdpError(f"script failed: {text}")
        return self._redact(reply.get("result", {}).get("value"))

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
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LOAD_TIMEOUT_S
        requested_until = loop.time() + REQUESTED_ONLY_S
        while self.dialog is None and (self._loading or self._requested or self._context is None):
            self._check_crash()
            limit = deadline
            if self._requested and not self._loading:
                limit = min(limit, requested_until)
            # Cleared before waiting: an event that comes from here on is not missed.
            self._changed.clear()
            try:
                async with asyncio.timeout_at(limit):
                    await self._changed.wait()
            except TimeoutError:
                # The page asked for a document and dropped it: there is no event that says so.
                if self._requested and not self._loading:
                    self._requested = False
                    continue
                # Loading began, but its document does not come: the one that is there can be read.
                if self._context is not None:
                    self._loading = False
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
            await self._wait_for_requests(until)
        return self.dialog is not None or await self.evaluate("document.readyState") == "complete"

    async def walk_when_settled(
        self,
        budget: int,
        options: int,
        clock: str | None = None,
        points: bool = False,
        calm: bool = False,
    ) -> Json | None:
        """The tree once the page is quiet, with the elements' `points` or without; None while a
        dialog is open.

        Quiet means: no navigation, no request under way, and none answered since the walk began,
        for a script acts on an answer after the browser has reported it. `clock` is for pages
        that have a clock of their own, which nothing else moves, so they are walked at once: an
        expression that lets time go by first, or "". `calm` is for pages whose scripts put work
        off: they are walked once nothing has changed for CALM_MS."""
        loop = asyncio.get_running_loop()
        network_until = loop.time() + NETWORK_LIMIT_S
        for _ in range(WALKS):
            await self.wait_loaded()
            if self.dialog is not None:
                return None
            try:
                answered, waited = self._answered, False
                if clock is None:
                    waited = await self._wait_for_answers(network_until)
                    answered = self._answered
                elif clock:
                    self._evaluate_unawaited(clock)
                # A later walk of this loop must not let time go by a second time.
                clock = None
                walked: Json | None = await self.evaluate(
                    f"__dh.settleAndWalk({budget},{options},{LOAD_LIMIT_MS},{QUIET_LIMIT_MS},{waited:d},"
                    f"{points:d},{CALM_MS * calm},{CALM_LIMIT_MS})"
                )
            except CdpError:
                continue  # the document went away under the script: a navigation is under way
            if self.dialog is not None:
                return None
            # The walk saw a document that is about to go.
            if self._loading or self._requested or walked is None:
                continue
            # A page that never stops asking is read as it is.
            if loop.time() >= network_until:
                return walked
            if not self._requests and self._answered == answered:
                return walked
        raise EpisodeFault(InvalidReason.OBSERVATION, "the page navigates without end")

    async def _wait_for_answers(self, until: float) -> bool:
        """Waits for the requests that are under way. True if this document got an answer since its
        mutations were marked. Raises CdpError."""
        context, answered = self._context, self._answered
        if self._requests and context is not None:
            self._evaluate_unawaited("__dh.mark()", contextId=context)
        else:
            # A request that the last action caused may not be reported yet. Chromium reports
            # events and replies in order, so after this reply it is.
            await self.evaluate("__dh.mark()")
        if not self._requests and self._answered == answered:
            return False
        await self._wait_for_requests(until)
        return self._context == context

    async def _wait_for_requests(self, until: float) -> None:
        """Waits until no request is under way, a navigation starts, or the time is up."""
        try:
            async with asyncio.timeout_at(until):
                while self._requests and not self._loading and self.dialog is None:
                    self._check_crash()
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self._requests.clear()  # a long poll: it is not waited for a second time

    async def navigate(self, url: str) -> str | None:
        """Goes to an absolute URL; gives the error text if it could not, or may not."""
        if not is_page_url(url):
            return "only web pages are opened"
        # Set before the call: `wait_loaded` must not return before the event that loading began.
        self._loading = True
        try:
            reply = await self.call("Page.navigate", {"url": url}, LOAD_TIMEOUT_S)
        except CdpError as error:
            self._loading = False
            return str(error)[:200]
        if "errorText" in reply or "loaderId" not in reply:
            self._loading = False
        text: str | None = reply.get("errorText")
        return text

    async def handle_dialog(self, accept: bool, text: str | None) -> None:
        """Answers an open alert, confirm or prompt dialog."""
        params: Json = {"accept": accept}
        if text is not None:
            params["promptText"] = text
        # Before the call: `pipeline` ends early while a dialog is open, and would end this very
        # call.
        self.dialog, chooser, self.chooser = None, self.chooser, None
        if chooser is not None:
            return
        with contextlib.suppress(CdpError):
            await self.call("Page.handleJavaScriptDialog", params)

    async def close(self) -> None:
        """Closes the tab."""
        self.connection.on_events(self.session, None)
        with contextlib.suppress(CdpError):
            await self.connection.call("Target.closeTarget", {"targetId": self.target}, "", 5)

    def _check_crash(self) -> None:
        if self._crashed:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the tab crashed")

    def _on_event(self, method: str, params: Json) -> None:
        if method == "Network.requestWillBeSent":
            if params.get("type") not in _ENDLESS:
                self._requests.add(params["requestId"])
            return
        if method in ("Network.loadingFinished", "Network.loadingFailed"):
            if params["requestId"] in self._requests:
                self._requests.discard(params["requestId"])
                self._answered += 1
        elif method == "Runtime.executionContextCreated":
            # A document counts as loaded once the walker's world exists in it. Frames inside the
            # page have such a world too.
            context = params["context"]
            data = context.get("auxData", {})
            if context["name"] != WORLD or data.get("frameId") != self.frame:
                return
            self._context = context["id"]
            self._loading = self._requested = False
        elif method == "Runtime.executionContextDestroyed":
            if params["executionContextId"] == self._context:
                self._context = None
        elif method == "Runtime.executionContextsCleared":
            self._context = None
            # Requests of the old document get no further events.
            self._requests.clear()
        elif method == "Page.frameRequestedNavigation":
            # A link or script asked for a document, but loading has not begun: a walk that starts
            # now would read the old page.
            if params["frameId"] == self.frame and params.get("disposition") == "currentTab":
                self._requested = True
        elif method == "Page.frameScheduledNavigation":
            self._requested = self._requested or params["frameId"] == self.frame
        elif method in _STARTED:
            if params["frameId"] == self.frame:
                # A move within the document makes no new world, so it would never end loading.
                if params.get("navigationType") not in ("sameDocument", "historySameDocument"):
                    self._loading = True
                self._requested = False
        elif method == "Page.frameNavigated":
            self._leave_unless_allowed(params["frame"])
        elif method == "Page.frameStoppedLoading":
            # Downloads and 204 answers start to load but make no document.
            if params["frameId"] == self.frame:
                self._loading = False
        elif method == "Page.navigatedWithinDocument":
            self._requested = False
        elif method == "Page.javascriptDialogOpening":
            self.dialog = self._redact(f"{params['type']}: {params['message']}")
            self._end_waits()
        elif method == "Page.fileChooserOpened" and "backendNodeId" in params:
            self.chooser = Chooser.read(params)
            self.dialog = self.chooser.text
            self._end_waits()
        elif method == "Page.javascriptDialogClosed":
            self.dialog = None
        elif method == "Inspector.targetCrashed":
            self._crashed = True
            self._end_waits()
        elif method == "Runtime.consoleAPICalled":
            words = [str(arg.get("value", arg.get("description", ""))) for arg in params["args"]]
            self._remember(f"{params['type']}: {' '.join(words)}")
        elif method == "Runtime.exceptionThrown":
            self._remember(f"exception: {params['exceptionDetails'].get('text', '')}")
        else:
            return
        self._changed.set()

    def _leave_unless_allowed(self, frame: Json) -> None:
        """Pages may lead to more than sites, such as what a script made up (`blob:`)."""
        if frame["id"] == self.frame and not may_show(frame["url"]):
            url = self._redact(frame["url"])[:120]
            self._remember(f"left {url}: only web pages are opened")
            reply = self._send("Page.navigate", {"url": BLANK})
            reply.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _end_waits(self) -> None:
        # All that wait end now; whoever waits next gets a new future.
        self._blocked.set_result(None)
        self._blocked = asyncio.get_running_loop().create_future()

    def _remember(self, line: str) -> None:
        self.console.append(self._redact(line)[:300])
        del self.console[:-MAX_CONSOLE]


def may_show(url: str) -> bool:
    """Whether a tab may stay at this address: a page, none yet, or the browser's word that a page
    could not be opened."""
    return is_page_url(url) or url == "" or url.startswith("chrome-error:")


def _exception_text(details: Json) -> str:
    text: str = details.get("exception", {}).get("description") or details.get("text", "")
    return text
