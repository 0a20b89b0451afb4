"""Moves on MediaWiki's pages that the oracles share, and what they read there."""

from __future__ import annotations

from envs.contract.actions import Type
from envs.contract.observations import TreeLine
from envs.gyms.kit import navigation
from envs.gyms.kit.navigation import Moves
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

SEARCH, EDITOR = "Search Handbook", "Wikitext source editor"
EDIT_MARK = "[edit]"
"""Behind each heading: the name of the link that edits its section."""


def open_page(page: Page, title: str) -> Moves:
    """By the search box, which leads to the page of exactly this title."""
    page = yield page.type_into(f"open {title}", SEARCH, title, submit=True)
    return page


def search_text(page: Page, words: str) -> Moves:
    """A search for pages that say this."""
    return (yield page.type_into(f"search for {words}", SEARCH, words, submit=True))


def open_tab(page: Page, name: str, thought: str) -> Moves:
    """One of the tabs above a page: Edit, History, Move, ..."""
    return (yield from navigation.click(page, thought, name, role="link"))


def section_lines(page: Page, name: str) -> list[TreeLine]:
    """What a section shows. Raises OracleLost where it is not in view."""
    lines = list(page.lines)
    for index, line in enumerate(lines):
        if line.role == "heading" and line.name == f"{name}{EDIT_MARK}":
            rest = lines[index + 1 :]
            end = next((i for i, after in enumerate(rest) if after.role == "heading"), len(rest))
            return rest[:end]
    raise OracleLost(f"no section {name!r} on page {page.title!r}")


def section_entries(page: Page, name: str) -> list[str]:
    """The texts of a section's list, without the link that edits it and what follows the list."""
    entries = []
    for line in section_lines(page, name):
        if line.role == "link" and line.name in ("Category", "Page"):
            break
        if line.name != "edit":
            entries.append(line.name)
    return entries


def edit_section(page: Page, name: str) -> Moves:
    """Opens the editor on one section of the page."""
    line = next(line for line in section_lines(page, name) if line.name == "edit")
    return (yield page.click_on(f"edit {name}", line))


def save_text(page: Page, text: str, thought: str = "write it") -> Moves:
    """Replaces what is in the editor, and saves the page."""
    page, line = yield from navigation.scroll_to(page, "box", EDITOR)
    page = yield OracleMove(thought, Type(target=page.target(line), text=text, clear=True))
    for name in ("Save changes", "Save page"):
        if (button := navigation.find_line(page, "button", name)) is not None:
            return (yield page.click_on("save it", button))
    page, button = yield from navigation.scroll_to(page, "button", "Save")
    return (yield page.click_on("save it", button))


def fact(page: Page, name: str) -> str:
    """The value beside a name in the table of facts. Raises OracleLost."""
    names = [line.name for line in section_lines(page, "Facts")]
    if name not in names[:-1]:
        raise OracleLost(f"no fact {name!r} on page {page.title!r}")
    return names[names.index(name) + 1]
