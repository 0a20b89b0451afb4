"""Ways to messages, folders and attachments that mail's oracles share."""

from __future__ import annotations

from envs.gyms.kit import navigation
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import Params
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page


def open_search_result(page: Page, query: str, label: str) -> navigation.Moves:
    """Searches all mail and opens a message by its link's label."""
    page = yield from navigation.go_to(page, "All mail")
    page = yield from navigation.search(page, query)
    return (yield from navigation.open_item(page, label))


def open_folder(page: Page, name: str) -> navigation.Moves:
    """Opens a folder by its name. Mail begins with the list of folders."""
    if page.find("link", f"Folder {name}") is None:
        page = yield from navigation.go_to(page, "Folders")
    return (yield from navigation.open_link(page, f"look into {name}", f"Folder {name}"))


def open_message(page: Page, p: Params) -> navigation.Moves:
    """Opens the message of the params."""
    return (yield from open_search_result(page, p["subject"], p["label"]))


def send_answer(page: Page, link: str, text: str) -> Script:
    """Answers the open message; `link` is Reply or Reply to all."""
    page = yield from navigation.open_link(page, link, link)
    page = yield from navigation.fill_fields(page, {"Text": text})
    yield from navigation.click(page, "send it", "Send")
    return None


def open_invoice(page: Page, label: str) -> navigation.Moves:
    """Opens a message by its link's label, and then its attachment."""
    page = yield from navigation.open_item(page, label)
    file = next((line for line in page.elements("link") if line.name.endswith(".pdf")), None)
    if file is None:
        raise OracleLost(f"no attachment on page {page.title!r}")
    return (yield page.click_on("what it says", file))


def tick_messages(page: Page, moments: list[str]) -> navigation.Moves:
    """Ticks messages of a list by their moments."""
    for moment in moments:
        page = yield from navigation.click(page, "this one", f"Select {moment}", role="check")
    return page
