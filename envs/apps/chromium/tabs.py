"""Tools for Chromium's tabs: which are open, where they are, printing them.

Guarantees: a tool works on the user's own window, starts Chromium when it does not run, and ends
when the page has loaded or its time is up, saying which.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Collection
from pathlib import Path
from typing import Any

from envs.apps.chromium.connection import TRACE, Chromium, ProtocolError, address, chromium, until
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop import windows
from envs.desktop.desktop import Desktop
from envs.desktop.input import keysym_named

TOOLS = Toolset("desktop")


LOAD_S = 6.0
RESTORE_S = 3.0
EMPTY = ("about:blank", "chrome://newtab/", "chrome://new-tab-page/")
START = (*EMPTY, "chrome://new-tab-page-third-party/")
"""Debian's Chromium starts with a page of its own."""
SHORT = 8
"""Characters of a tab's id that callers see."""


async def front(browser: Chromium, tab: str | None = None) -> dict[str, Any]:
    """The tab that begins with `tab`; the visible one when None. Raises ToolError."""
    pages = await browser.pages()
    if tab is not None:
        matches = [page for page in pages if tab and page["id"].lower().startswith(tab.lower())]
        if len(matches) == 1:
            return matches[0]
        known = "; ".join(f"{page['id'][:SHORT]} {page['title'][:40]}" for page in pages)
        raise ToolError(ActionError.NOT_FOUND, f"there is no tab {tab[:20]!r}; open are: {known}")
    for page in pages:
        try:
            if await browser.run(page["id"], "() => document.visibilityState === 'visible'"):
                return page
        except ProtocolError:
            continue
    if not pages:
        raise ToolError(ActionError.NOT_FOUND, "no tab is open; open one with chromium.open_tab")
    return pages[0]


async def wait_loaded(browser: Chromium, target: str, blank: bool = True) -> dict[str, Any]:
    """Title and address once the page has loaded, or as far as it is after LOAD_S. `blank`: whether
    the empty page counts, where every new tab begins."""
    script = "() => [document.readyState, document.title, location.href]"
    deadline = asyncio.get_running_loop().time() + LOAD_S
    while True:
        try:
            state, title, url = await browser.run(target, script)
        except ProtocolError:
            # The page's context goes away while it navigates.
            state = title = url = ""
        done = state == "complete" and (blank or url != "about:blank")
        if done or asyncio.get_running_loop().time() > deadline:
            return {"tab": target[:SHORT], "title": title, "url": url, "loaded": done}
        await asyncio.sleep(0.02)


async def open_page(desktop: Desktop, url: str, over: Collection[str] = EMPTY) -> dict[str, Any]:
    """A new tab in front; a tab that the user looks at and that shows one of `over` is used instead
    of another."""
    browser = await chromium(desktop)
    pages = await browser.pages()
    if pages and (current := await front(browser))["url"] in over:
        return await go(browser, current["id"], url)
    created = await browser.send("Target.createTarget", url=url)
    return await wait_loaded(browser, created["targetId"], blank=url == "about:blank")


async def go(browser: Chromium, target: str, url: str) -> dict[str, Any]:
    reply = await browser.send("Page.navigate", target, url=url)
    if reply.get("errorText"):
        raise ToolError(ActionError.TOOL_FAILED, f"{url[:200]}: {reply['errorText']}")
    return await wait_loaded(browser, target)


@TOOLS.tool("chromium.tabs", timeout_s=30)
async def tabs(desktop: Desktop) -> list[dict[str, Any]]:
    """Lists the open tabs, the one used last first: tab (its id), title, url, active."""
    browser = await chromium(desktop)
    pages = await browser.pages()
    active = (await front(browser))["id"] if pages else ""
    return [
        {"tab": p["id"][:SHORT], "title": p["title"], "url": p["url"], "active": p["id"] == active}
        for p in pages
    ]


@TOOLS.tool("chromium.open_tab", timeout_s=35)
async def open_tab(desktop: Desktop, url: str = "chrome://newtab/") -> dict[str, Any]:
    """Opens an address, or a file of the home folder by its path, in a new tab and waits until it
    has loaded."""
    browser = await chromium(desktop)
    created = await browser.send("Target.createTarget", url=address(url, desktop.home))
    return await wait_loaded(browser, created["targetId"], blank=url == "about:blank")


@TOOLS.tool("chromium.close_tab", timeout_s=30)
async def close_tab(desktop: Desktop, tab: str | None = None) -> str:
    """Closes a tab by its id; without one, the tab in front."""
    browser = await chromium(desktop)
    page = await front(browser, tab)
    await browser.send("Target.closeTarget", targetId=page["id"])

    async def is_gone() -> bool:
        return all(page_now["id"] != page["id"] for page_now in await browser.pages())

    if not await until(is_gone, 5):
        raise ToolError(ActionError.TOOL_FAILED, "the page asks whether it may be left")
    return f"closed {page['title'] or page['url']}"


@TOOLS.tool("chromium.activate_tab", timeout_s=30)
async def activate_tab(desktop: Desktop, tab: str) -> dict[str, Any]:
    """Brings a tab to the front by its id."""
    browser = await chromium(desktop)
    page = await front(browser, tab)
    await browser.send("Target.activateTarget", targetId=page["id"])
    return await wait_loaded(browser, page["id"])


@TOOLS.tool("chromium.bring_back_last_tab", timeout_s=30)
async def bring_back_last_tab(desktop: Desktop) -> dict[str, Any]:
    """Opens the tab again that was closed last."""
    browser = await chromium(desktop)
    traces = []
    try:
        while True:
            page = await _restore_one(desktop, browser)
            target = page.pop("id")
            if page["url"] != TRACE:
                return page
            traces.append(target)
    finally:
        for trace in traces:
            await browser.send("Target.closeTarget", targetId=trace)


async def _restore_one(desktop: Desktop, browser: Chromium) -> dict[str, Any]:
    before = {page["id"] for page in await browser.pages()}
    await press(desktop, "ctrl", "shift", "t")

    async def new() -> list[str]:
        return [page["id"] for page in await browser.pages() if page["id"] not in before]

    if not await until(new, RESTORE_S):
        raise ToolError(ActionError.NOT_FOUND, "there is no closed tab to bring back")
    target = (await new())[0]
    return {**await wait_loaded(browser, target, blank=False), "id": target}


async def press(desktop: Desktop, *keys: str) -> None:
    """Presses a key combination in Chromium's window, brought to the front for it."""
    shown = [w for w in await desktop.windows() if w.application.lower() == "chromium"]
    if not shown:
        raise ToolError(ActionError.NOT_FOUND, "Chromium has no window")
    window = shown[-1]
    if not window.active:
        await desktop.x.run(lambda: windows.focus(desktop.x11, window.id))
        await desktop.settle(1.0)
    await desktop.x.run(lambda: desktop.input.press_chord([keysym_named(key) for key in keys]))


@TOOLS.tool("chromium.navigate", timeout_s=35)
async def navigate(desktop: Desktop, url: str, tab: str | None = None) -> dict[str, Any]:
    """Goes to an address, or a file of the home folder by its path, in the tab in front and waits
    until it has loaded."""
    browser = await chromium(desktop)
    if not await browser.pages():
        return await open_page(desktop, address(url, desktop.home))
    page = await front(browser, tab)
    return await go(browser, page["id"], address(url, desktop.home))


async def _step(desktop: Desktop, by: int, word: str) -> dict[str, Any]:
    browser = await chromium(desktop)
    target = (await front(browser))["id"]
    history = await browser.send("Page.getNavigationHistory", target)
    index = history["currentIndex"] + by
    if not 0 <= index < len(history["entries"]):
        raise ToolError(ActionError.NOT_FOUND, f"there is no page {word} this one")
    entry = history["entries"][index]
    await browser.send("Page.navigateToHistoryEntry", target, entryId=entry["id"])

    async def has_arrived() -> bool:
        try:
            now = await browser.send("Page.getNavigationHistory", target)
        except ProtocolError:
            return False
        return bool(now["currentIndex"] == index)

    await until(has_arrived, LOAD_S)
    return await wait_loaded(browser, target)


@TOOLS.tool("chromium.back", timeout_s=30)
async def back(desktop: Desktop) -> dict[str, Any]:
    """Goes back one page in the tab in front."""
    return await _step(desktop, -1, "before")


@TOOLS.tool("chromium.forward", timeout_s=30)
async def forward(desktop: Desktop) -> dict[str, Any]:
    """Goes forward one page in the tab in front."""
    return await _step(desktop, 1, "after")


@TOOLS.tool("chromium.reload", timeout_s=30)
async def reload(desktop: Desktop) -> dict[str, Any]:
    """Loads the page in front again."""
    browser = await chromium(desktop)
    target = (await front(browser))["id"]
    await browser.run(target, "() => { window.__leaving = true }")
    await browser.send("Page.reload", target)

    async def has_left() -> bool:
        try:
            return not await browser.run(target, "() => window.__leaving === true")
        except ProtocolError:
            return False

    await until(has_left, LOAD_S)
    return await wait_loaded(browser, target)


@TOOLS.tool("chromium.print", timeout_s=30)
async def print_page(desktop: Desktop) -> str:
    """Opens the print dialog for the page in front."""
    browser = await chromium(desktop)
    page = await front(browser)
    await browser.send("Target.activateTarget", targetId=page["id"])
    await press(desktop, "ctrl", "p")
    return f"the print dialog of {page['title'] or page['url']} is open"


@TOOLS.tool("chromium.print_to_pdf", timeout_s=40)
async def print_to_pdf(
    desktop: Desktop, path: str, landscape: bool = False, background: bool = True
) -> str:
    """Saves the page in front as a PDF file; a relative path counts from the home folder."""
    browser = await chromium(desktop)
    target = (await front(browser))["id"]
    file = desktop.home / Path(path).expanduser()
    if not file.parent.is_dir():
        raise ToolError(ActionError.NOT_FOUND, f"there is no folder {file.parent}")
    reply = await browser.send(
        "Page.printToPDF",
        target,
        timeout_s=25,
        landscape=landscape,
        printBackground=background,
        preferCSSPageSize=True,
    )
    data = base64.b64decode(reply["data"])
    await asyncio.to_thread(file.write_bytes, data)
    return f"wrote {file}, {len(data)} bytes"
