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

from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import BOX_HOME, local_path
from envs.osworld.inside.steps.chromium import ensure_chromium_closed

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

HISTORY = f"{BOX_HOME}/.config/chromium/Default/History"
ERROR_PAGE = "chrome-error:"
TAB_S = 5.0
_EPOCH_S = 11_644_473_600
"""From 1601, where Chromium's time begins, to 1970, seconds."""
_BY_LINK = 0x30000000
"""Transition of a visit: a link, the beginning and the end of a chain."""


async def chrome_open_tabs(desktop: Desktop, parameters: Parameters) -> None:
    """Opens the addresses in tabs; the first one in the empty tab, if that is in front. Raises
    ToolError or ConnectionError."""
    from envs.apps.chromium.connection import address
    from envs.apps.chromium.tabs import START, open_page, open_tab

    for index, requested in enumerate(parameters["urls_to_open"]):
        url = address(requested, desktop.home)
        opened = await (open_tab(desktop, url) if index else open_page(desktop, url, START))
        if opened["url"].startswith(ERROR_PAGE):
            raise ConnectionError(f"{url} cannot be reached")


async def chrome_close_tabs(desktop: Desktop, parameters: Parameters) -> None:
    """Closes one tab for each address. Raises LookupError or ToolError."""
    from envs.apps.chromium.connection import chromium

    browser = await chromium(desktop)
    for url in parameters["urls_to_close"]:
        pages = await browser.pages()
        matching = [page for page in pages if same_page(page["url"], url)]
        if not matching:
            raise LookupError(f"no tab shows {url}; open are: {[page['url'] for page in pages]}")
        await browser.send("Target.closeTarget", targetId=matching[0]["id"])
        async with asyncio.timeout(TAB_S):
            while any(page["id"] == matching[0]["id"] for page in await browser.pages()):
                await asyncio.sleep(0.02)


def same_page(first_url: str, second_url: str) -> bool:
    """Whether two addresses name the same page: "www." and a closing slash do not matter, nor the
    scheme if one has none."""
    first, second = _parts(first_url), _parts(second_url)
    return first[1:] == second[1:] and (first[0] == second[0] or "" in (first[0], second[0]))


def _parts(url: str) -> tuple[str, str, str, str]:
    split = urlsplit(url if "://" in url else f"//{url}")
    host = split.netloc.lower().removeprefix("www.")
    return split.scheme.lower(), host, split.path.rstrip("/"), f"{split.query}#{split.fragment}"


async def update_browse_history(desktop: Desktop, parameters: Parameters) -> None:
    """Adds visits. Chromium locks its history, so it is closed before, and restarted if it ran."""
    from envs.apps.chromium.connection import chromium, running

    ran = await running(desktop) is not None
    file = local_path(desktop, HISTORY)
    if not ran and not file.exists():
        await chromium(desktop)
    await ensure_chromium_closed(desktop, {})
    await asyncio.to_thread(add_visits, file, parameters["history"], time.time())
    if ran:
        await chromium(desktop)


def add_visits(file: Path, visits: Sequence[Mapping[str, Any]], now: float) -> None:
    """Adds visits to Chromium's database. `now`: seconds since 1970. Raises FileNotFoundError, or
    sqlite3.Error for a file that is no such database."""
    if not file.is_file():
        raise FileNotFoundError(f"Chromium has written no history: {file.name}")
    with closing(sqlite3.connect(file)) as database, database:
        for visit in visits:
            ago = float(visit["visit_time_from_now_in_seconds"])
            at = int((now - ago + _EPOCH_S) * 1_000_000)
            database.execute(
                "INSERT INTO visits (url, visit_time, from_visit, transition, segment_id,"
                " visit_duration) VALUES (?, ?, 0, ?, 0, 0)",
                (_count_visit(database, visit["url"], visit["title"], at), at, _BY_LINK),
            )


def _count_visit(database: sqlite3.Connection, url: str, title: str, at: int) -> int:
    """The id of the page's row, one for each address: Chromium ignores a second one."""
    row = database.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
    if row is None:
        insertion = database.execute(
            "INSERT INTO urls (url, title, visit_count, typed_count, last_visit_time, hidden)"
            " VALUES (?, ?, 1, 0, ?, 0)",
            (url, title, at),
        )
        return int(insertion.lastrowid or 0)
    database.execute(
        "UPDATE urls SET visit_count = visit_count + 1,"
        " last_visit_time = max(last_visit_time, ?) WHERE id = ?",
        (at, row[0]),
    )
    return int(row[0])
