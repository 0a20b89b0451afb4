"""Moves on the kit's pages that many scripts share: navigation, lists, forms.

Each gives the page it ends on. What is not in view is scrolled to; what is called otherwise
(`disturbances.py`) is found under its other names. Raises OracleLost.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from envs.contract.actions import Click, Drag, Scroll, SetValue, Type
from envs.contract.observations import TreeLine
from envs.gyms.kit.disturbances import get_possible_labels
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

MAX_SCROLLS, MAX_PAGES = 8, 30
LocatedLine = tuple[Page, TreeLine]
Moves = Generator[OracleMove, Page, Page]


def find_line(page: Page, role: str, name: str) -> TreeLine | None:
    """By any of its names, or else by the beginning of its name."""
    for known in get_possible_labels(name):
        if line := page.find(role, known):
            return line
    for known in get_possible_labels(name):
        if line := page.find_prefix(role, known):
            return line
    return None


def scroll_to(page: Page, role: str, name: str) -> Generator[OracleMove, Page, LocatedLine]:
    """Scrolls down until it is in view."""
    for _ in range(MAX_SCROLLS):
        line = find_line(page, role, name)
        if line is not None:
            return page, line
        if not page.has_more_below:
            break
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    raise OracleLost(f"no {role} {name!r} on page {page.title!r}")


def click(page: Page, thought: str, name: str, role: str = "button") -> Moves:
    """Clicks a control."""
    page, line = yield from scroll_to(page, role, name)
    return (yield page.click_on(thought, line))


def open_link(page: Page, thought: str, name: str) -> Moves:
    """Clicks a link."""
    return (yield from click(page, thought, name, role="link"))


def go_to(page: Page, place: str, thought: str | None = None) -> Moves:
    """To a place of the navigation, or to another app by its title."""
    why = thought or f"to {place}"
    if page.find("link", place) is None and (menu := page.find("button", "Menu")):
        page = yield page.click_on("open the menu", menu)
    for _ in range(MAX_SCROLLS):
        if page.find("link", place) or "above" not in page.tree.scroll:
            break
        page = yield OracleMove("back to the top", Scroll(dy=-1, unit="page"))
    return (yield page.click(why, "link", place))


def search(page: Page, words: str, thought: str | None = None) -> Moves:
    """In the list that is open."""
    return (yield page.type_into(thought or f"search for {words}", "Search", words, submit=True))


def filter_list(page: Page, label: str, option: str, thought: str | None = None) -> Moves:
    """Chooses in a list's drop-down, and applies it where that takes a button."""
    page, line = yield from scroll_to(page, "select", label)
    if line.value == option:
        return page
    target = page.target(line)
    page = yield OracleMove(thought or f"{label}: {option}", SetValue(target=target, value=option))
    if "?" not in (page.url or "") or f"={option.replace(' ', '+')}" not in (page.url or ""):
        page = yield from click(page, "apply it", "Search")
    return page


def open_item(page: Page, name: str, thought: str | None = None) -> Moves:
    """The list's link that is called so or begins so, on whichever page of the list it is."""
    for _ in range(MAX_PAGES):
        if line := find_line(page, "link", name):
            return (yield page.click_on(thought or f"open {name}", line))
        if page.has_more_below:
            page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
        elif line := page.find("link", "Next page"):
            page = yield page.click_on("not on this page", line)
        else:
            break
    raise OracleLost(f"no link {name!r} in the list {page.title!r}")


def fill_fields(page: Page, values: Mapping[str, str | bool]) -> Moves:
    """Fields by their labels: text, an option, or whether a box is ticked. Those that are right
    already are left alone."""
    for label, value in values.items():
        role = "check" if isinstance(value, bool) else None
        page, line = yield from _field(page, label, role)
        target = page.target(line)
        if isinstance(value, bool):
            if ("checked" in line.states) != value:
                page = yield OracleMove(f"tick {label}", Click(target=target))
        elif line.role == "select":
            if line.value != value:
                page = yield OracleMove(f"{label}: {value}", SetValue(target=target, value=value))
        elif line.value != value:
            page = yield OracleMove(
                f"{label}: {value}"[:80], Type(target=target, text=value, clear=True)
            )
    return page


def _field(page: Page, label: str, role: str | None) -> Generator[OracleMove, Page, LocatedLine]:
    for _ in range(MAX_SCROLLS):
        for kind in (role,) if role else ("box", "select"):
            if line := page.find(kind, label):
                return page, line
        if not page.has_more_below:
            break
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    raise OracleLost(f"no field {label!r} on page {page.title!r}")


def choose_in_menu(page: Page, menu: str, item: str, thought: str | None = None) -> Moves:
    """Opens a menu and clicks a button in it."""
    page = yield from click(page, "what else there is", menu)
    return (yield from click(page, thought or item, item))


def confirm(page: Page, text: str, thought: str | None = None) -> Moves:
    """A button that asks back, and yes to it."""
    page = yield from click(page, thought or text, text)
    return (yield from click(page, "yes, I am sure", f"Yes, {text[0].lower()}{text[1:]}"))


def read_value(page: Page, name: str) -> str:
    """The text that follows a name on the page ("Total $12.00"). Raises OracleLost."""
    text = page.text_after(f"{name} ")
    if text is None:
        raise OracleLost(f"page {page.title!r} does not say {name!r}")
    return text.strip()


def drag(page: Page, thought: str, card: str, onto: str) -> Moves:
    """Drags one link onto another, both in view."""
    path = (page.target(page.get_line("link", card)), page.target(page.get_line("link", onto)))
    return (yield OracleMove(thought, Drag(path=path)))
