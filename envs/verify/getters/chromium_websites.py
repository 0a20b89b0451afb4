"""Getters of pages that the evaluator itself opens, in a tab behind the user's.

Guarantees: the tab is closed again, and every wait is bounded; a page that cannot be reached is a
ConnectionError that says so: without the internet these tasks cannot be judged.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.verify.getters import scratch
from envs.verify.registry import Ending, getter

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop
    from envs.tools.chromium_cdp import Chromium

PAGE_S = 15.0
ELEMENT_S = 8.0
QUIET_S = 0.5
LOOK_AGAIN_S = 0.1
SEARCH, RESULT = "https://google.com/search?q=query", ".search-result"
CAMPS, CAMP = "https://www.recreation.gov/", "Diamond"
_STATE = "() => [document.readyState, document.title, location.href]"
_CONTENT = "() => document.documentElement.outerHTML"
_COUNT = "s => document.querySelectorAll(s).length"
_INNER_TEXT = "s => document.querySelector(s).innerText"
_ATTRIBUTE = """(s, name) => {
    const element = document.querySelector(s)
    return name === 'href' ? element.href : element.getAttribute(name)
}"""
_CLICK = "s => document.querySelector(s).click()"
_FILL = """(s, text) => {
    const box = document.querySelector(s)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text)
    box.dispatchEvent(new Event('input', {bubbles: true}))
}"""
_TEXT_OF = "(s, place) => document.querySelectorAll(s)[place]?.textContent?.trim() ?? null"


@dataclass(frozen=True, slots=True)
class Page:
    """A tab of the evaluator's."""

    browser: Chromium
    tab: str

    async def run(self, function: str, *values: Any) -> Any:
        return await self.browser.run(self.tab, function, *values)

    async def go(self, url: str) -> None:
        """Raises ConnectionError."""
        reply = await self.browser.send("Page.navigate", self.tab, PAGE_S, url=url)
        if reply.get("errorText"):
            raise ConnectionError(
                f"{url} cannot be reached ({reply['errorText']}); this task needs the internet"
            )
        await self.loaded()

    async def loaded(self) -> None:
        """Until it has loaded and a moment has passed, or PAGE_S have."""
        from envs.tools.chromium_cdp import until

        async def complete() -> bool:
            return (await self._state())[0] == "complete"

        await until(complete, PAGE_S)
        await asyncio.sleep(QUIET_S)

    async def _state(self) -> list[str]:
        from envs.tools.chromium_cdp import ProtocolError

        try:
            state: list[str] = await self.run(_STATE)
        except ProtocolError:
            # The page's context goes away while it navigates.
            return ["", "", ""]
        return state

    async def shown(self) -> dict[str, str]:
        """Its title, url and content (HTML)."""
        _, title, url = await self._state()
        return {"title": title, "url": url, "content": await self.run(_CONTENT)}

    async def has(self, selector: str) -> None:
        """Waits for an element. Raises LookupError."""
        deadline = asyncio.get_running_loop().time() + ELEMENT_S
        while not await self.run(_COUNT, selector):
            if asyncio.get_running_loop().time() > deadline:
                raise LookupError(f"{(await self._state())[2]} has no element {selector}")
            await asyncio.sleep(LOOK_AGAIN_S)

    async def click(self, selector: str) -> None:
        await self.has(selector)
        await self.run(_CLICK, selector)
        await self.loaded()


@contextlib.asynccontextmanager
async def page(desktop: Desktop, url: str) -> AsyncIterator[Page]:
    """A page in a tab behind the user's; Chromium is started where it does not run. Raises
    ConnectionError or ToolError."""
    from envs.tools.chromium_cdp import chromium

    browser = await chromium(desktop)
    made = await browser.send("Target.createTarget", url="about:blank", background=True)
    one = Page(browser, made["targetId"])
    try:
        await one.go(url)
        yield one
    finally:
        await browser.send("Target.closeTarget", targetId=one.tab)


@getter("page_info")
async def page_info(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> dict[str, str]:
    """Title, url and content (HTML) of the page at `url`, as the user's browser shows it."""
    async with page(desktop, given["url"]) as one:
        return await one.shown()


@getter("pdf_from_url")
async def pdf_from_url(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> Path:
    """The page at `path`, printed to a PDF file."""
    async with page(desktop, given["path"]) as one:
        printed = await one.browser.send("Page.printToPDF", one.tab, PAGE_S)
    place = scratch.place(ending, given["dest"])
    await asyncio.to_thread(place.write_bytes, base64.b64decode(printed["data"]))
    return place


@getter("number_of_search_results")
async def number_of_search_results(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> int:
    """How many elements `selector` finds on the page at `url`."""
    async with page(desktop, given.get("url", SEARCH)) as one:
        count: int = await one.run(_COUNT, given.get("selector", RESULT))
        return count


@getter("info_from_website")
async def info_from_website(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> Any:
    """What each of `infos` says of the page at `url`: the `inner_text` or an `attribute` of an
    element, also after clicks on others (`click_and_...`). Where the page or an element is not to
    be had, the task's `backups`; raises ConnectionError or LookupError when it has none."""
    from envs.tools.registry import ToolError

    try:
        async with page(desktop, given["url"]) as one:
            return [await _info(one, given["url"], info) for info in given.get("infos", ())]
    except (ConnectionError, LookupError, ToolError):
        if given.get("backups") is None:
            raise
        return given["backups"]


async def _info(one: Page, url: str, info: Mapping[str, Any]) -> str | None:
    """Begins on the page itself. Raises ValueError for an unknown action."""
    action = info.get("action", "inner_text")
    what = action.removeprefix("click_and_")
    if what not in ("inner_text", "attribute"):
        raise ValueError(f"there is no action {action!r}")
    selectors = [info["selector"]] if isinstance(info["selector"], str) else info["selector"]
    *clicked, wanted = selectors
    for selector in clicked:
        await one.click(selector)
    await one.has(wanted)
    names = () if what == "inner_text" else (info["attribute"],)
    value: str | None = await one.run(_ATTRIBUTE if names else _INNER_TEXT, wanted, *names)
    if clicked:
        await one.go(url)
    return value


@getter("gotoRecreationPage_and_get_html_content")
async def recreation_page(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """{"expected": {class: text}} of an element of the camp CAMP's page: of its `class`, at the
    place `order` (from 0). Raises ConnectionError or LookupError."""
    async with page(desktop, CAMPS) as one:
        await one.has("input#hero-search-input")
        await one.run(_FILL, "input#hero-search-input", CAMP)
        await one.click("button.nav-search-button")
        camp = await _opened(one, ".search-result-highlight--success")
        try:
            await camp.loaded()
            with contextlib.suppress(LookupError):
                await camp.click("button.next-available")
            name = given["class"]
            await camp.has(f".{name}")
            text = await camp.run(_TEXT_OF, f".{name}", int(given.get("order", 0)))
        finally:
            await camp.browser.send("Target.closeTarget", targetId=camp.tab)
    if text is None:
        raise LookupError(f"the camp's page has no element {given.get('order', 0)} of {name}")
    return {"expected": {name: text}}


async def _opened(one: Page, selector: str) -> Page:
    """The tab that a click opens. Raises LookupError."""
    from envs.tools.chromium_cdp import until

    before = {tab["id"] for tab in await one.browser.pages()}
    await one.click(selector)

    async def new() -> list[str]:
        return [tab["id"] for tab in await one.browser.pages() if tab["id"] not in before]

    if not await until(new, ELEMENT_S):
        raise LookupError(f"a click on {selector} opened no page")
    return Page(one.browser, (await new())[0])
