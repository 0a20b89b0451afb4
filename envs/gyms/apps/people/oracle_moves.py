"""Ways to people that the portal's oracles share, and the milestones on them."""

from __future__ import annotations

from envs.gyms.kit import navigation
from envs.gyms.kit.locale import Locale
from envs.gyms.kit.template import Params, visited_page
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page

VISITED_PERSON = ("person", visited_page("people:person:{person}"))
VISITED_DIRECTORY = ("directory", visited_page("people:staff"))
VISITED_EXPENSES = ("expenses", visited_page("people:expenses"))


def locale_of(p: Params) -> Locale:
    """The locale in the params."""
    return Locale(p["locale"])


def first_list_entry(page: Page) -> str:
    """The first link of the list that is open. Raises OracleLost."""
    in_list = False
    for line in page.lines:
        in_list = in_list or " found, sorted by " in line.name
        if in_list and line.role == "link":
            return line.name
    raise OracleLost("the list is empty")


def open_person(page: Page, name: str) -> navigation.Moves:
    """Searches a person by name and opens the page."""
    page = yield from navigation.go_to(page, "Directory")
    page = yield from navigation.search(page, name)
    return (yield from navigation.open_item(page, name))
