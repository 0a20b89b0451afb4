"""Moves on Trac's pages that the oracles share."""

from __future__ import annotations

from envs.contract.actions import Scroll, SetValue, Type
from envs.contract.observations import TreeLine
from envs.gyms.kit import navigation
from envs.gyms.kit.navigation import Moves
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

SEARCH = "Search:"
COMMENT, SUBMIT = "You may use", "Submit changes"


def search(page: Page, words: str) -> Moves:
    """By the field above every page."""
    return (yield page.type_into(f"search for {words}", SEARCH, words, submit=True))


def open_ticket(page: Page, summary: str) -> Moves:
    """The ticket of exactly this summary, found by it."""
    page = yield from search(page, summary)
    line = next((x for x in page.elements("link") if f": {summary} " in f"{x.name} "), None)
    if line is None:
        raise OracleLost(f"no ticket {summary!r} among the results")
    return (yield page.click_on(f"open {summary}", line))


def modify_ticket(page: Page, summary: str) -> Moves:
    """Opens a ticket and the form that changes it, which is folded at first."""
    page = yield from open_ticket(page, summary)
    return (yield from navigation.open_link(page, "I want to change it", "Modify"))


def set_field(page: Page, label: str, value: str) -> Moves:
    """A text field or a drop-down of the open form."""
    return (yield from navigation.fill_fields(page, {label: value}))


def submit(page: Page) -> Moves:
    """Saves what the form of a ticket says."""
    return (yield from navigation.click(page, "that is all of it", SUBMIT))


def take_step(page: Page, action: str) -> Moves:
    """Ticks one of the actions below the fields of a ticket."""
    page, line = yield from navigation.scroll_to(page, "radio", action)
    return (yield page.click_on(action, line))


def choose_after(page: Page, action: str, option: str) -> Moves:
    """An option of the drop-down that belongs to an action: the first one behind it."""
    page, start = yield from navigation.scroll_to(page, "radio", action)
    for _ in range(navigation.MAX_SCROLLS):
        lines = list(page.lines)
        place = next((i for i, x in enumerate(lines) if x.ref == start.ref), 0)
        line = next((x for x in lines[place:] if x.role == "select"), None)
        if line is not None:
            move = SetValue(target=page.target(line), value=option)
            return (yield OracleMove(option, move))
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    raise OracleLost(f"no options of {action!r} on page {page.title!r}")


def write_text(page: Page, text: str) -> Moves:
    """Replaces the text of the page's large field."""
    page, line = yield from navigation.scroll_to(page, "box", "text")
    move = Type(target=page.target(line), text=text, clear=True)
    return (yield OracleMove("write it", move))


def open_admin(page: Page, panel: str) -> Moves:
    """A panel of the administration."""
    page = yield from navigation.open_link(page, "to the administration", "Admin")
    return (yield from navigation.open_link(page, f"to {panel}", panel))


def box_before(page: Page, link: str) -> TreeLine:
    """The box of a row of a list, which stands before its link. Raises OracleLost."""
    boxes = [x for x in page.lines if x.role in ("check", "link")]
    place = next((i for i, x in enumerate(boxes) if (x.role, x.name) == ("link", link)), 0)
    if place == 0 or boxes[place - 1].role != "check":
        raise OracleLost(f"no row {link!r} on page {page.title!r}")
    return boxes[place - 1]
