"""Which Chromium a session uses for a task, and where the task may start.

Gyms have one that draws on demand, all other pages of this machine one that draws as browsers do,
and sites of the internet one of this session's own (`web_browser.py`), which lives until a task
does without it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from envs.browser.chromium import Browsers
from envs.browser.web_browser import WebBrowser
from envs.contract.domains import is_url_allowed
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_url import BLANK, is_page_url
from envs.contract.task import Task

OpenWeb = Callable[[], Awaitable[WebBrowser]]


class BrowserChoice:
    """Of one session. `open_web` makes the browser for the internet."""

    def __init__(self, browsers: Browsers, open_web: OpenWeb) -> None:
        self._browsers, self._open_web = browsers, open_web
        self._web: WebBrowser | None = None
        self.chromium = browsers.gyms

    async def choose(self, task: Task) -> bool:
        """Whether it is another Chromium than before, to which no context can move."""
        before = self.chromium
        if task.allow:
            if self._web is None:
                self._web = await self._open_web()
            self._web.begin(task)
            self.chromium = self._web.chromium
        else:
            await self.close()
            self.chromium = self._browsers.of(task)
        return self.chromium is not before

    def take_refused(self) -> tuple[str, ...]:
        """Hosts of the internet that were refused since the last call."""
        return self._web.proxy.take_refused() if self._web is not None else ()

    def start_of(self, task: Task) -> str:
        """Where a task without a gym starts. Raises EpisodeFault(UNRUNNABLE) if it may not go
        there."""
        start = task.start_url or BLANK
        if not is_page_url(start):
            raise _unrunnable(start, "no page")
        if start == BLANK or (task.allow and is_url_allowed(start, task.allow)):
            return start
        if task.allow:
            raise _unrunnable(start, "on no domain that the task allows")
        if not self._browsers.may_open(start):
            raise _unrunnable(
                start, "on no site of this host (--site), and the task allows no domains"
            )
        return start

    def explain(self, error: str) -> str:
        """What the browser says of a page that did not open, with the proxy's reason."""
        reason = self._web.proxy.last_refusal if self._web is not None else ""
        return f"{error} ({reason})" if reason else error

    async def close(self) -> None:
        """Ends the browser for the internet."""
        web, self._web = self._web, None
        if web is not None:
            await web.close()


def _unrunnable(start: str, why: str) -> EpisodeFault:
    return EpisodeFault(InvalidReason.UNRUNNABLE, f"start_url {start[:120]!r} is {why}")
