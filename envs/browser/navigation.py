"""Where an action takes a tab: to an address, or along its history.

Guarantees: only web pages are opened, and with `origin` only those of it; everything else is a
Refusal.
"""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from envs.browser.page import Page
from envs.contract.actions import ActionError
from envs.contract.page_url import is_page_url
from envs.contract.refusal import Refusal


async def go_to(page: Page, url: str, origin: str | None) -> None:
    """To a URL, absolute or relative to the page's. Raises Refusal, EpisodeFault, CdpError."""
    current = await page.evaluate("location.href")
    try:
        absolute = urljoin(current, url)
        parts = urlsplit(absolute)
    except ValueError as wrong:
        raise Refusal(ActionError.BAD_VALUE, f"{url[:120]} is not a URL: {wrong}") from wrong
    if not is_page_url(absolute):
        raise Refusal(ActionError.NOT_ALLOWED, f"cannot open {parts.scheme or 'this'} URLs")
    if origin is not None and f"{parts.scheme}://{parts.netloc}" != origin:
        raise Refusal(ActionError.NOT_ALLOWED, "this task stays on its own site")
    error = await page.navigate(absolute)
    if error:
        raise Refusal(ActionError.NAVIGATION, f"could not open {absolute[:120]}: {error}")


async def go_in_history(page: Page, op: str, origin: str | None) -> None:
    """Loads the page again (`op` is reload), or goes back or forward. Raises Refusal, EpisodeFault,
    CdpError."""
    if op == "reload":
        await page.call("Page.reload")
        return
    history = await page.call("Page.getNavigationHistory")
    index = history["currentIndex"] + (1 if op == "forward" else -1)
    entries = history["entries"]
    if not 0 <= index < len(entries) or entries[index]["url"] == "about:blank":
        raise Refusal(ActionError.NAVIGATION, f"there is no page to go {op} to")
    if origin is not None and not entries[index]["url"].startswith(origin + "/"):
        raise Refusal(ActionError.NAVIGATION, f"there is no page to go {op} to")
    await page.call("Page.navigateToHistoryEntry", {"entryId": entries[index]["id"]})
