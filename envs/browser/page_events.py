"""What the events of one tab say of it: loading, requests, dialogs, console, a crash.

Guarantees: whoever waits for a change hears of each one that comes after the wait began; the
console keeps the last MAX_CONSOLE lines; every text of the page passes through `redact`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from envs.browser.chooser import Chooser
from envs.browser.sent_form import SentForm
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_url import is_page_url
from envs.io.cdp import Json

WORLD = "deskhand"
"""Name of the world that the walker runs in."""
MISSED = "__dhMissed"
"""The walker writes this to the console of its world, and what was struck, when a press strikes
another element than it was meant for. A binding would say the same, but it is installed anew in
each document."""
MAX_CONSOLE = 50
Redact = Callable[[Any], Any]

_ENDLESS = {"Document", "EventSource", "Media", "Ping", "Prefetch", "WebSocket"}
"""Requests that settling does not wait for; documents have their own events."""


class PageEvents:
    """Of the tab whose main frame is `frame`. `leave` is called when it shows what it may not."""

    def __init__(self, frame: str, redact: Redact, leave: Callable[[], None]) -> None:
        self.dialog: str | None = None
        self.chooser: Chooser | None = None
        """Open where `dialog` is about it."""
        self.console: list[str] = []
        self.context: int | None = None
        """The walker's world in the document of now; None while there is none."""
        self.is_requested = False
        """A navigation was asked for, and has not begun."""
        self.is_loading = False
        self.requests: set[str] = set()
        """Those under way."""
        self.answered = 0
        self.missed = ""
        """What the last press struck in place of what it was meant for; "" for a press that met
        it."""
        self.sent_form = SentForm(frame)
        self.blocked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done, and replaced, when the page stops answering: a dialog opened, or it crashed."""
        self._frame, self._redact, self._leave = frame, redact, leave
        self._has_crashed = False
        self._changed = asyncio.Event()

    @property
    def is_moving(self) -> bool:
        """Whether a navigation is under way: the document of now is about to go, or gone."""
        return self.is_loading or self.is_requested

    def check_crash(self) -> None:
        """Raises EpisodeFault(OBSERVATION) once the tab has crashed."""
        if self._has_crashed:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the tab crashed")

    async def wait_for_change(self) -> None:
        """Returns with the next event that says something new."""
        # Cleared before waiting: an event that comes from here on is not missed.
        self._changed.clear()
        await self._changed.wait()

    def hear(self, method: str, params: Json) -> None:
        """Takes in one event of CDP; unknown ones say nothing."""
        if method == "Network.requestWillBeSent":
            kind = params.get("type")
            if kind not in _ENDLESS and not _is_inline_picture(params):
                self.requests.add(params["requestId"])
            elif kind == "Document":
                self.sent_form.note_request(params)
        elif (react := _REACTIONS.get(method)) is not None:
            react(self, params)
            self._changed.set()

    def _end_request(self, params: Json) -> None:
        if params["requestId"] in self.requests:
            self.requests.discard(params["requestId"])
            self.answered += 1

    def _enter_world(self, params: Json) -> None:
        # A document counts as loaded once the walker's world exists in it. Frames inside the page
        # have such a world too.
        context = params["context"]
        if context["name"] == WORLD and context.get("auxData", {}).get("frameId") == self._frame:
            self.context = context["id"]
            self.is_loading = self.is_requested = False

    def _leave_world(self, params: Json) -> None:
        if params["executionContextId"] == self.context:
            self.context = None

    def _leave_all_worlds(self, _: Json) -> None:
        self.context = None
        # Requests of the old document get no further events.
        self.requests.clear()

    def _request_navigation(self, params: Json) -> None:
        # A link or script asked for a document, but loading has not begun: a walk that starts now
        # would read the old page.
        if params["frameId"] == self._frame and params.get("disposition") == "currentTab":
            self.is_requested = True

    def _schedule_navigation(self, params: Json) -> None:
        self.is_requested = self.is_requested or params["frameId"] == self._frame

    def _start_loading(self, params: Json) -> None:
        if params["frameId"] == self._frame:
            # A move within the document makes no new world, so it would never end loading.
            if params.get("navigationType") not in ("sameDocument", "historySameDocument"):
                self.is_loading = True
            self.is_requested = False

    def _stop_loading(self, params: Json) -> None:
        # Downloads and 204 answers start to load but make no document.
        if params["frameId"] == self._frame:
            self.is_loading = False

    def _navigate(self, params: Json) -> None:
        """Pages may lead to more than sites, such as what a script made up (`blob:`)."""
        frame = params["frame"]
        self.sent_form.note_document(frame)
        if frame["id"] == self._frame and not may_show(frame["url"]):
            url = self._redact(frame["url"])[:120]
            self._remember(f"left {url}: only web pages are opened")
            self._leave()

    def _move_within_document(self, params: Json) -> None:
        self.is_requested = False
        self.sent_form.note_move(params)

    def _open_dialog(self, params: Json) -> None:
        self.dialog = self._redact(f"{params['type']}: {params['message']}")
        self._end_waits()

    def _open_chooser(self, params: Json) -> None:
        if "backendNodeId" in params:
            self.chooser = Chooser.read(params)
            self.dialog = self.chooser.text
            self._end_waits()

    def _close_dialog(self, _: Json) -> None:
        self.dialog = None

    def _crash(self, _: Json) -> None:
        self._has_crashed = True
        self._end_waits()

    def _log(self, params: Json) -> None:
        words = [str(arg.get("value", arg.get("description", ""))) for arg in params["args"]]
        # A page cannot write in the walker's world, whatever it writes in its own.
        if params["executionContextId"] == self.context and words[0] == MISSED:
            self.missed = self._redact(words[1])[:200]
            return
        self._remember(f"{params['type']}: {' '.join(words)}")

    def _log_exception(self, params: Json) -> None:
        self._remember(f"exception: {params['exceptionDetails'].get('text', '')}")

    def _remember(self, line: str) -> None:
        self.console.append(self._redact(line)[:300])
        del self.console[:-MAX_CONSOLE]

    def _end_waits(self) -> None:
        # All that wait end now; whoever waits next gets a new future.
        self.blocked.set_result(None)
        self.blocked = asyncio.get_running_loop().create_future()


_REACTIONS: dict[str, Callable[[PageEvents, Json], None]] = {
    "Network.loadingFinished": PageEvents._end_request,
    "Network.loadingFailed": PageEvents._end_request,
    "Runtime.executionContextCreated": PageEvents._enter_world,
    "Runtime.executionContextDestroyed": PageEvents._leave_world,
    "Runtime.executionContextsCleared": PageEvents._leave_all_worlds,
    "Page.frameRequestedNavigation": PageEvents._request_navigation,
    "Page.frameScheduledNavigation": PageEvents._schedule_navigation,
    "Page.frameStartedLoading": PageEvents._start_loading,
    "Page.frameStartedNavigating": PageEvents._start_loading,
    "Page.frameStoppedLoading": PageEvents._stop_loading,
    "Page.frameNavigated": PageEvents._navigate,
    "Page.navigatedWithinDocument": PageEvents._move_within_document,
    "Page.javascriptDialogOpening": PageEvents._open_dialog,
    "Page.javascriptDialogClosed": PageEvents._close_dialog,
    "Page.fileChooserOpened": PageEvents._open_chooser,
    "Inspector.targetCrashed": PageEvents._crash,
    "Runtime.consoleAPICalled": PageEvents._log,
    "Runtime.exceptionThrown": PageEvents._log_exception,
}


def _is_inline_picture(params: Json) -> bool:
    """A picture that a style sheet or a page holds itself: no answer comes, and it is there at
    once."""
    return params.get("type") == "Image" and params["request"]["url"].startswith("data:")


def may_show(url: str) -> bool:
    """Whether a tab may stay at this address: a page, none yet, or the browser's word that a page
    could not be opened."""
    return is_page_url(url) or url == "" or url.startswith("chrome-error:")
