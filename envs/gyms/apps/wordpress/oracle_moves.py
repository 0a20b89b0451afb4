"""Moves on WordPress's pages that the oracles share."""

from __future__ import annotations

from envs.contract.actions import Click, SetValue, Type
from envs.gyms.kit import navigation
from envs.gyms.kit.navigation import Moves
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

BULK = "Select bulk action"
TITLE, TEXT = "Add title", "content"


def open_list(page: Page, *places: str) -> Moves:
    """One place of the menu after the other, such as Posts and Categories."""
    for place in places:
        page = yield from navigation.open_link(page, f"to {place}", place)
    return page


def search_list(page: Page, words: str) -> Moves:
    """Searches the list that is open: the box is called after what it lists."""
    box = next((x for x in page.elements("box") if x.name.startswith("Search ")), None)
    if box is None:
        raise OracleLost(f"no search on page {page.title!r}")
    move = Type(target=page.target(box), text=words, clear=True, submit=True)
    return (yield OracleMove(f"search for {words}", move))


def open_post(page: Page, title: str, kind: str = "Posts") -> Moves:
    """The editor of a post or a page, found by its title."""
    page = yield from open_list(page, kind)
    page = yield from search_list(page, title)
    return (yield from navigation.open_link(page, f"open {title}", f"“{title}” (Edit)"))


def tick(page: Page, name: str) -> Moves:
    """Ticks or clears a box."""
    page, line = yield from navigation.scroll_to(page, "check", name)
    return (yield OracleMove(name, Click(target=page.target(line))))


def choose(page: Page, select: str, option: str) -> Moves:
    """An option of a drop-down."""
    page, line = yield from navigation.scroll_to(page, "select", select)
    return (yield OracleMove(option, SetValue(target=page.target(line), value=option)))


def apply_to(page: Page, row: str, action: str) -> Moves:
    """Ticks a row of the list and applies an action to what is ticked. The action is chosen first:
    it stands above the list."""
    page = yield from choose(page, BULK, action)
    page = yield from tick(page, row)
    if page.find("button", "Apply") is None:
        page = yield from navigation.click(page, "apply it below the list", "Apply")
        return page
    return (yield from navigation.click(page, "apply it", "Apply"))


def update(page: Page) -> Moves:
    """Saves what an editor shows."""
    return (yield from navigation.click(page, "keep it", "Update"))
