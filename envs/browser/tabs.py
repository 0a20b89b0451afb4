"""The tabs of one browser context: opened, chosen, taken over from the pages, closed.

Guarantees: the list holds only tabs of the context, in the order in which they were opened, and one
of them is active; a tab that a page opened by itself joins the list or, if it may not be shown, is
closed; the context ends with `dispose`.
"""

from __future__ import annotations

import asyncio
import contextlib
from urllib.parse import urljoin

from envs.browser.chromium import Chromium
from envs.browser.page import Page
from envs.browser.page_events import Redact, may_show
from envs.browser.perform import Performer
from envs.contract.actions import ActionError, ActionResult, Navigate, Tab
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpClosed, CdpError

CLOSE_LIMIT_S = 5.0


class Tabs:
    """Tabs of `width` x `height` CSS pixels in a Chromium. Not for concurrent calls."""

    def __init__(self, chromium: Chromium, width: int, height: int, redact: Redact) -> None:
        self._chromium = chromium
        self._redact = redact
        self._width, self._height = width, height
        self._context: str | None = None
        self._generation = -1
        self.pages: list[Page] = []
        self.active = 0

    @property
    def page(self) -> Page:
        """The active tab. Raises EpisodeFault if there is none."""
        if not self.pages:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the session has no open tab")
        return self.pages[self.active]

    @property
    def are_usable(self) -> bool:
        """Whether there are tabs, and the process that they were opened in still runs."""
        chromium = self._chromium
        return bool(self.pages) and chromium.alive and self._generation == chromium.generation

    @property
    def context(self) -> str:
        """The id of the browser's context; "" without one."""
        return self._context or ""

    async def open_context(self) -> None:
        """Opens a context of its own with one empty tab. The one before must be disposed of."""
        connection = self._chromium.connection
        self._generation = self._chromium.generation
        created = await connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
        self._context = created["browserContextId"]
        self.pages, self.active = [await self._open_page()], 0

    async def open_tab(self) -> Page:
        """Opens an empty tab and makes it the active one. Raises EpisodeFault."""
        if self._context is None:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the session has no context")
        page = await self._open_page()
        self.pages.append(page)
        self.active = len(self.pages) - 1
        return page

    async def close_tab(self, index: int) -> None:
        """Closes one of several tabs; the active place stays, or moves to the last tab."""
        await self.pages.pop(index).close()
        self.active = min(self.active, len(self.pages) - 1)

    async def perform(self, action: Tab, performer: Performer) -> ActionResult:
        """Opens, closes or chooses a tab. Raises EpisodeFault."""
        await self.adopt()
        if action.op == "new":
            current_url = await self.page.evaluate("location.href")
            try:
                go = Navigate(url=urljoin(current_url, action.url)) if action.url else None
            except ValueError as error:
                message = (
                    f"{(action.url or '')[:60]} is not a URL of at most 4096 characters: {error}"
                )
                return ActionResult.failure(ActionError.BAD_VALUE, message[:200])
            page = await self.open_tab()
            if go is not None:
                return await performer.perform(page, go)
            return ActionResult.success()
        count = len(self.pages)
        index = self.active if action.index is None else action.index
        if index >= count:
            return ActionResult.failure(ActionError.NOT_FOUND, f"no tab {index}; there are {count}")
        if action.op == "close":
            if count == 1:
                return ActionResult.failure(ActionError.NOT_ALLOWED, "the last tab stays open")
            await self.close_tab(index)
        else:
            self.active = index
        await self.page.call("Page.bringToFront")
        return ActionResult.success()

    async def keep_one(self, is_trusted: bool) -> None:
        """Closes what the task before opened. Pages that are not ours (`is_trusted` is false) may
        have kept things in the tab itself (`sessionStorage`, `name`), so they get a new one."""
        # An open dialog blocks its page.
        for page in self.pages:
            if page.dialog is not None:
                await page.handle_dialog(False, None)
        strangers = (await self._targets()).keys() - {page.target for page in self.pages}
        if is_trusted:
            kept = self.pages[0]
        elif self._context is None:
            raise EpisodeFault(InvalidReason.RESET, "the session has no context")
        else:
            kept = await self._open_page()
        for page in self.pages:
            if page is not kept:
                await page.close()
        for target in strangers:
            await self._close_target(target)
        self.pages, self.active = [kept], 0

    async def describe(self) -> tuple[str, ...]:
        """One line a tab, in the order of their indices; a star marks the active one."""
        infos = await self.adopt()
        return tuple(
            f"{'*' if page is self.page else ''}{index} {infos[page.target]}"
            for index, page in enumerate(self.pages)
        )

    async def adopt(self) -> dict[str, str]:
        """Tabs that pages opened by themselves join the list; closed ones leave it. Gives each
        tab's title and URL."""
        connection, targets = self._chromium.connection, await self._targets()
        current = self.page.target
        self.pages = [page for page in self.pages if page.target in targets]
        known = {page.target for page in self.pages}
        for target in [target for target in targets if target not in known]:
            if not may_show(targets[target][1]):
                del targets[target]
                await self._close_target(target)
                continue
            paced = self._chromium.paced
            page = await Page.attach(
                connection, target, self._width, self._height, paced, self._redact
            )
            self.pages.append(page)
        places = [i for i, page in enumerate(self.pages) if page.target == current]
        self.active = places[0] if places else 0
        return {target: self._redact(f"{title} {url}") for target, (title, url) in targets.items()}

    async def dispose(self) -> None:
        """Ends the context with all its tabs."""
        context, self._context, pages, self.pages = self._context, None, self.pages, []
        if context is None or not self._chromium.alive:
            return
        # A context of a process that is gone went with it; its id means nothing to the new one.
        if self._generation != self._chromium.generation:
            return
        connection = self._chromium.connection
        for page in pages:
            connection.on_events(page.session, None)
        with contextlib.suppress(CdpError, CdpClosed, asyncio.TimeoutError):
            await connection.call(
                "Target.disposeBrowserContext", {"browserContextId": context}, "", CLOSE_LIMIT_S
            )

    async def _open_page(self) -> Page:
        context = self._context or ""
        chromium = self._chromium
        return await Page.open(
            chromium.connection,
            context,
            self._width,
            self._height,
            chromium.paced,
            self._redact,
        )

    async def _close_target(self, target: str) -> None:
        with contextlib.suppress(CdpError):  # it closed by itself meanwhile
            await self._chromium.connection.call(
                "Target.closeTarget", {"targetId": target}, "", CLOSE_LIMIT_S
            )

    async def _targets(self) -> dict[str, tuple[str, str]]:
        """Title and URL of every tab of the context, by target id."""
        reply = await self._chromium.connection.call("Target.getTargets")
        return {
            info["targetId"]: (info["title"], info["url"])
            for info in reply["targetInfos"]
            if info["type"] == "page" and info.get("browserContextId") == self._context
        }
