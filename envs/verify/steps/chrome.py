"""OSWorld's setup steps on Chromium: tabs, and visits of the past.

    {"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["https://..."]}}
    {"type": "chrome_close_tabs", "parameters": {"urls_to_close": ["https://..."]}}
    {"type": "update_browse_history", "parameters": {"history": [
        {"url": "https://...", "title": "...", "visit_time_from_now_in_seconds": 60}]}}

Guarantees: Chromium is started where it does not run; a page that cannot be reached, and a tab that
is not open, are failures.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from envs.verify.machine import BOX_HOME, located
from envs.verify.setup import step
from envs.verify.steps.chromium import chromium_closed

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

HISTORY = f"{BOX_HOME}/.config/chromium/Default/History"
ERROR_PAGE = "chrome-error:"
TAB_S = 5.0
_EPOCH_S = 11_644_473_600
"""From 1601, where Chromium's time begins, to 1970, seconds."""
_BY_LINK = 0x30000000
"""Transition of a visit: a link, the beginning and the end of a chain."""


@step("chrome_open_tabs")
async def chrome_open_tabs(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """The first takes the place of the empty tab, if the user looks at one. Raises ToolError
    or ConnectionError."""
    from envs.tools.chromium_cdp import address
    from envs.tools.chromium_tabs import START, open_page, open_tab

    for index, wanted in enumerate(given["urls_to_open"]):
        url = address(wanted, desktop.home)
        opened = await (open_tab(desktop, url) if index else open_page(desktop, url, START))
        if opened["url"].startswith(ERROR_PAGE):
            raise ConnectionError(f"{url} cannot be reached")


@step("chrome_close_tabs")
async def chrome_close_tabs(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """One tab for each address. Raises LookupError or ToolError."""
    from envs.tools.chromium_cdp import chromium

    browser = await chromium(desktop)
    for url in given["urls_to_close"]:
        pages = await browser.pages()
        found = [page for page in pages if same_page(page["url"], url)]
        if not found:
            raise LookupError(f"no tab shows {url}; open are: {[page['url'] for page in pages]}")
        await browser.send("Target.closeTarget", targetId=found[0]["id"])
        async with asyncio.timeout(TAB_S):
            while any(page["id"] == found[0]["id"] for page in await browser.pages()):
                await asyncio.sleep(0.02)


def same_page(one: str, other: str) -> bool:
    """Whether two addresses name the same page: without regard to "www." and a closing slash, and
    to the scheme where one has none."""
    first, second = _parts(one), _parts(other)
    return first[1:] == second[1:] and (first[0] == second[0] or "" in (first[0], second[0]))


def _parts(url: str) -> tuple[str, str, str, str]:
    split = urlsplit(url if "://" in url else f"//{url}")
    host = split.netloc.lower().removeprefix("www.")
    return split.scheme.lower(), host, split.path.rstrip("/"), f"{split.query}#{split.fragment}"


@step("update_browse_history")
async def update_browse_history(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Chromium holds its history open, so it is closed for it, and started again if it ran."""
    from envs.tools.chromium_cdp import chromium, running

    ran = await running(desktop) is not None
    file = located(desktop, HISTORY)
    if not ran and not file.exists():
        await chromium(desktop)
    await chromium_closed(desktop, {})
    await asyncio.to_thread(add_visits, file, given["history"], time.time())
    if ran:
        await chromium(desktop)


def add_visits(file: Path, visits: Sequence[Mapping[str, Any]], now: float) -> None:
    """Into Chromium's own database. `now`: seconds since 1970. Raises FileNotFoundError, or
    sqlite3.Error for a file that is none."""
    if not file.is_file():
        raise FileNotFoundError(f"Chromium has written no history: {file.name}")
    with closing(sqlite3.connect(file)) as database, database:
        for visit in visits:
            ago = float(visit["visit_time_from_now_in_seconds"])
            at = int((now - ago + _EPOCH_S) * 1_000_000)
            database.execute(
                "INSERT INTO visits (url, visit_time, from_visit, transition, segment_id,"
                " visit_duration) VALUES (?, ?, 0, ?, 0, 0)",
                (_visited(database, visit["url"], visit["title"], at), at, _BY_LINK),
            )


def _visited(database: sqlite3.Connection, url: str, title: str, at: int) -> int:
    """The page's row, one for each address: of a second one Chromium would know nothing."""
    known = database.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
    if known is None:
        made = database.execute(
            "INSERT INTO urls (url, title, visit_count, typed_count, last_visit_time, hidden)"
            " VALUES (?, ?, 1, 0, ?, 0)",
            (url, title, at),
        )
        return int(made.lastrowid or 0)
    database.execute(
        "UPDATE urls SET visit_count = visit_count + 1,"
        " last_visit_time = max(last_visit_time, ?) WHERE id = ?",
        (at, known[0]),
    )
    return int(known[0])
