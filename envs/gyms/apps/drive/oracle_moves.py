"""Ways to files that the drive's oracles share, and the milestones on them."""

from __future__ import annotations

from envs.gyms.kit import navigation
from envs.gyms.kit.template import Params, visited_page
from envs.gyms.server.view import Page

VISITED_FILES = ("all files", visited_page("drive:files"))
VISITED_FILE = ("file", visited_page("drive:file:{file}"))


def open_file(page: Page, p: Params, name: str = "name") -> navigation.Moves:
    """Searches a file by its name and opens it; `name` is the param with the name."""
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.search(page, p[name])
    return (yield from navigation.open_item(page, p[name]))


def open_in_menu(page: Page, item: str, thought: str) -> navigation.Moves:
    """Opens a link in the menu of the open file."""
    page = yield from navigation.click(page, "what else there is", "More")
    return (yield from navigation.open_link(page, thought, item))


def move_open_file(page: Page, p: Params, path: str = "path") -> navigation.Moves:
    """Moves the open file to the folder of a param."""
    page = yield from navigation.open_link(page, "it belongs elsewhere", "Move")
    page = yield from navigation.fill_fields(page, {"Folder": p[path]})
    return (yield from navigation.click(page, "there", "Move here"))
