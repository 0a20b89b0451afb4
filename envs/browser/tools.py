"""API tools of a browser session: what a person would otherwise do in several GUI steps."""

from __future__ import annotations

from typing import Any, Protocol

from envs.contract.actions import (
    ActionError,
    ActionResult,
    Navigate,
    SetValue,
    SimpleAction,
    Target,
)
from envs.contract.tools import Toolset

TOOLS = Toolset("browser")


class OpenPage(Protocol):
    """What these tools need of a tab."""

    async def walker(self, function: str, *arguments: Any) -> Any: ...

    async def evaluate(self, expression: str, timeout_s: float = 8.0) -> Any: ...


class OpenBrowser(Protocol):
    """What these tools need of a browser session."""

    @property
    def page(self) -> OpenPage: ...

    async def act_raw(self, action: SimpleAction) -> ActionResult: ...


MAX_HITS = 10
MAX_ROWS = 200
MAX_TEXT = 8000

_TABLE_SCRIPT = """
(() => {
  const tables = [...document.querySelectorAll('table')].filter((t) => t.checkVisibility());
  const table = tables[%d];
  if (!table) return {count: tables.length};
  const rows = [...table.rows].slice(0, %d);
  return {count: tables.length, rows: rows.map((r) => [...r.cells].map((c) => c.innerText.trim()))};
})()
"""


@TOOLS.tool("browser.find_text")
async def find_text(session: OpenBrowser, text: str) -> ActionResult:
    """Lists the lines of the whole page, also outside the viewport, that contain the text."""
    page_text: str = await session.page.walker("text")
    needle = text.lower()
    hits = [" ".join(line.split()) for line in page_text.splitlines() if needle in line.lower()]
    if not hits:
        return ActionResult.failure(ActionError.NOT_FOUND, f"{text[:60]!r} is not on this page")
    return ActionResult.success(hits[:MAX_HITS])


@TOOLS.tool("browser.fill_form")
async def fill_form(session: OpenBrowser, fields: dict[str, str | bool]) -> ActionResult:
    """Sets several fields at once. Keys are refs of the last tree (numbers), values are texts,
    option labels of drop-downs, or true/false for check boxes. Stops at the first error."""
    for ref, value in fields.items():
        if not ref.isdecimal() or len(ref) > 9 or int(ref) < 1:
            return ActionResult.failure(
                ActionError.TOOL_ARGUMENTS, f"browser.fill_form: fields: {ref[:20]!r} is not a ref"
            )
        result = await session.act_raw(SetValue(target=Target(ref=int(ref)), value=value))
        if not result.ok:
            return result
    return ActionResult.success()


@TOOLS.tool("browser.select_option")
async def select_option(session: OpenBrowser, ref: int, option: str) -> ActionResult:
    """Chooses an option of a drop-down by its label."""
    return await session.act_raw(SetValue(target=Target(ref=ref), value=option))


@TOOLS.tool("browser.read_table")
async def read_table(session: OpenBrowser, index: int = 0) -> ActionResult:
    """Rows of the index-th visible table of the page, as lists of cell texts."""
    table: dict[str, Any] = await session.page.evaluate(_TABLE_SCRIPT % (index, MAX_ROWS))
    if "rows" not in table:
        return ActionResult.failure(
            ActionError.NOT_FOUND, f"no table {index}; the page has {table['count']}"
        )
    return ActionResult.success(table["rows"])


@TOOLS.tool("browser.page_text")
async def page_text(session: OpenBrowser) -> ActionResult:
    """The whole page as text."""
    text: str = await session.page.walker("text")
    return ActionResult.success(text[:MAX_TEXT])


@TOOLS.tool("browser.goto")
async def goto(session: OpenBrowser, url: str) -> ActionResult:
    """Opens a URL, absolute or relative to the current page."""
    return await session.act_raw(Navigate(url=url))
