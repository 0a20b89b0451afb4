"""The state of a page of a web gym, taken and put back.

The document is put back as the gyms' own script changes pages: its body is replaced while head and
scripts stay. Guarantees: what would be lost that way is refused (CannotSnapshot): listeners on
single elements, frames, chosen files, stored data; what is put back is read again and is equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson

from envs.browser.page import Page
from envs.browser.settled_walk import walk_when_settled
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import CannotSnapshot
from envs.io.cdp import CdpError, Json

_SCRIPT = (Path(__file__).parent / "page_state.js").read_text()
_KEPT_BY_SCRIPTS = (
    ("files", "a field for files"),
    ("frames", "a frame or a medium"),
    ("stored", "data that it stored in the browser"),
)
_MADE_BY_LOADING = {"loaded"}


@dataclass(frozen=True, slots=True)
class PageState:
    """A document, and the addresses that "back" and "forward" lead to; `at` is its own."""

    document: Json
    addresses: tuple[str, ...]
    at: int

    def equals(self, document: Json) -> bool:
        """Whether a document is the same, however it was loaded."""
        return self._without_loading(self.document) == self._without_loading(document)

    @staticmethod
    def _without_loading(document: Json) -> Json:
        return {key: value for key, value in document.items() if key not in _MADE_BY_LOADING}


async def capture_page(page: Page) -> PageState:
    """The page's state. Raises CannotSnapshot or EpisodeFault."""
    if page.dialog is not None:
        raise CannotSnapshot("the page shows a dialog of the browser: answer it first")
    document: Json = await page.evaluate(f"{_SCRIPT}.capture()")
    for key, what in _KEPT_BY_SCRIPTS:
        if document[key]:
            raise CannotSnapshot(f"the page has {what}, which cannot be put back")
    if await _count_listeners(page):
        raise CannotSnapshot(
            "a part of the page is bound to its scripts: close it if it is a date picker; what"
            " React draws cannot be kept"
        )
    history = await page.call("Page.getNavigationHistory")
    addresses = tuple(entry["url"] for entry in history["entries"])
    return PageState(document, addresses, history["currentIndex"])


async def _count_listeners(page: Page) -> int:
    """How many listeners hang on elements of the body; those on the document stay with it."""
    body = await page.call("Runtime.evaluate", {"expression": "document.body"})
    query = {"objectId": body["result"]["objectId"], "depth": -1}
    return len((await page.call("DOMDebugger.getEventListeners", query))["listeners"])


async def has_head_of(page: Page, state: PageState) -> bool:
    """Whether the open document has the state's head and scripts."""
    try:
        document: Json = await page.evaluate(f"{_SCRIPT}.capture()")
    except CdpError:
        return False
    return bool(document["head"] == state.document["head"])


async def put_back_history(page: Page, state: PageState) -> None:
    """Makes "back" and "forward" lead where they led. Loads a page if there is a way forward."""
    await page.call("Page.resetNavigationHistory")
    await page.evaluate(f"{_SCRIPT}.go({orjson.dumps(state.addresses).decode()})")
    steps_back = len(state.addresses) - 1 - state.at
    if steps_back:
        await page.evaluate(f"history.go(-{steps_back})")
        await walk_when_settled(page, 0, 0)


async def put_back_document(page: Page, state: PageState) -> None:
    """Makes the document hold the state. Raises EpisodeFault(RESET) if it is not equal then."""
    passed = orjson.dumps(state.document).decode()
    document: Json = await page.evaluate(f"{_SCRIPT}.put({passed})")
    if not state.equals(document):
        keys = [key for key in document if document[key] != state.document[key]]
        raise EpisodeFault(
            InvalidReason.RESET, f"the page is not as it was: {', '.join(keys) or 'unequal'}"
        )
