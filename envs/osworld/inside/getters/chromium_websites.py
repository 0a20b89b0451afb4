"""Getters of pages that the evaluator itself opens, in a background tab.

Guarantees: the tab is closed again, and every wait is bounded. A page that cannot be reached is a
ConnectionError: without the internet these tasks cannot be judged.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters

if TYPE_CHECKING:
    from envs.apps.chromium.connection import Chromium
    from envs.desktop.desktop import Desktop

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
    """A background tab of the evaluator."""

    browser: Chromium
    tab: str

    async def run(self, function: str, *values: Any) -> Any:
        """Calls a fixed JavaScript function on the page with these values."""
        return await self.browser.run(self.tab, function, *values)

    async def go(self, url: str) -> None:
        """Opens an address and waits for the page. Raises ConnectionError."""
        reply = await self.browser.send("Page.navigate", self.tab, PAGE_S, url=url)
        if reply.get("errorText"):
            raise ConnectionError(
                f"{url} cannot be reached ({reply['errorText']}); this task needs the internet"
            )
        await self.wait_until_loaded()

    async def wait_until_loaded(self) -> None:
        """Waits until the page has loaded and QUIET_S have passed, PAGE_S at most."""
        from envs.apps.chromium.connection import until

        async def complete() -> bool:
            return (await self._state())[0] == "complete"

        await until(complete, PAGE_S)
        await asyncio.sleep(QUIET_S)

    async def _state(self) -> list[str]:
        from envs.apps.chromium.connection import ProtocolError

        try:
            state: list[str] = await self.run(_STATE)
        except ProtocolError:
            # The page's context goes away while it navigates.
            return ["", "", ""]
        return state

    async def describe(self) -> dict[str, str]:
        """Title, url and content (HTML)."""
        _, title, url = await self._state()
        return {"title": title, "url": url, "content": await self.run(_CONTENT)}

    async def wait_for(self, selector: str) -> None:
        """Waits for an element. Raises LookupError."""
        deadline = asyncio.get_running_loop().time() + ELEMENT_S
        while not await self.run(_COUNT, selector):
            if asyncio.get_running_loop().time() > deadline:
                raise LookupError(f"{(await self._state())[2]} has no element {selector}")
            await asyncio.sleep(LOOK_AGAIN_S)

    async def click(self, selector: str) -> None:
        """Waits for an element and clicks it. Raises LookupError."""
        await self.wait_for(selector)
        await self.run(_CLICK, selector)
        await self.wait_until_loaded()


@contextlib.asynccontextmanager
async def page(desktop: Desktop, url: str) -> AsyncIterator[Page]:
    """A page in a background tab; Chromium is started if it does not run. Raises ConnectionError or
    ToolError."""
    from envs.apps.chromium.connection import chromium

    browser = await chromium(desktop)
    target = await browser.send("Target.createTarget", url="about:blank", background=True)
    opened = Page(browser, target["targetId"])
    try:
        await opened.go(url)
        yield opened
    finally:
        await browser.send("Target.closeTarget", targetId=opened.tab)


async def page_info(desktop: Desktop, ending: Ending, parameters: Parameters) -> dict[str, str]:
    """Title, url and content (HTML) of the page at `url`, as the user's browser shows it."""
    async with page(desktop, parameters["url"]) as tab:
        return await tab.describe()


async def pdf_from_url(desktop: Desktop, ending: Ending, parameters: Parameters) -> Path:
    """The page at `path`, printed to a PDF file."""
    async with page(desktop, parameters["path"]) as tab:
        printed = await tab.browser.send("Page.printToPDF", tab.tab, PAGE_S)
    file = ending.make_path(parameters["dest"])
    await asyncio.to_thread(file.write_bytes, base64.b64decode(printed["data"]))
    return file


async def number_of_search_results(desktop: Desktop, ending: Ending, parameters: Parameters) -> int:
    """The number of elements that match `selector` on the page at `url`."""
    async with page(desktop, parameters.get("url", SEARCH)) as tab:
        count: int = await tab.run(_COUNT, parameters.get("selector", RESULT))
        return count


async def info_from_website(desktop: Desktop, ending: Ending, parameters: Parameters) -> Any:
    """A value for each of `infos` on the page at `url`: the `inner_text` or an `attribute` of an
    element, also after clicks on others (`click_and_...`). If the page or an element is not
    available, the task's `backups`; raises ConnectionError or LookupError without them."""
    from envs.contract.tools import ToolError

    try:
        async with page(desktop, parameters["url"]) as tab:
            return [
                await _info(tab, parameters["url"], info) for info in parameters.get("infos", ())
            ]
    except (ConnectionError, LookupError, ToolError):
        if parameters.get("backups") is None:
            raise
        return parameters["backups"]


async def _info(tab: Page, url: str, info: Mapping[str, Any]) -> str | None:
    """Starts on the page itself. Raises ValueError for an unknown action."""
    action = info.get("action", "inner_text")
    reading = action.removeprefix("click_and_")
    if reading not in ("inner_text", "attribute"):
        raise ValueError(f"there is no action {action!r}")
    selectors = [info["selector"]] if isinstance(info["selector"], str) else info["selector"]
    *clicked, target = selectors
    for selector in clicked:
        await tab.click(selector)
    await tab.wait_for(target)
    names = () if reading == "inner_text" else (info["attribute"],)
    value: str | None = await tab.run(_ATTRIBUTE if names else _INNER_TEXT, target, *names)
    if clicked:
        await tab.go(url)
    return value


async def recreation_page(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """{"expected": {class: text}} of an element of the camp CAMP's page: of its `class`, at the
    place `order` (from 0). Raises ConnectionError or LookupError."""
    async with page(desktop, CAMPS) as tab:
        await tab.wait_for("input#hero-search-input")
        await tab.run(_FILL, "input#hero-search-input", CAMP)
        await tab.click("button.nav-search-button")
        camp = await _click_and_open(tab, ".search-result-highlight--success")
        try:
            await camp.wait_until_loaded()
            with contextlib.suppress(LookupError):
                await camp.click("button.next-available")
            name = parameters["class"]
            await camp.wait_for(f".{name}")
            text = await camp.run(_TEXT_OF, f".{name}", int(parameters.get("order", 0)))
        finally:
            await camp.browser.send("Target.closeTarget", targetId=camp.tab)
    if text is None:
        raise LookupError(f"the camp's page has no element {parameters.get('order', 0)} of {name}")
    return {"expected": {name: text}}


async def _click_and_open(tab: Page, selector: str) -> Page:
    """The tab that a click opens. Raises LookupError."""
    from envs.apps.chromium.connection import until

    before = {tab["id"] for tab in await tab.browser.pages()}
    await tab.click(selector)

    async def new_tabs() -> list[str]:
        return [tab["id"] for tab in await tab.browser.pages() if tab["id"] not in before]

    if not await until(new_tabs, ELEMENT_S):
        raise LookupError(f"a click on {selector} opened no page")
    return Page(tab.browser, (await new_tabs())[0])
